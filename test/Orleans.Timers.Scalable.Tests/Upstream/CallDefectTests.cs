using System.Diagnostics;

namespace Orleans.Timers.Scalable.Tests.Upstream;

public sealed class CallDefectTests(StockSilo silo) : IClassFixture<StockSilo>
{
    [Fact]
    public async Task ResponseTimeout_Of200Milliseconds_ComesUpToASecondLate()
    {
        var lateness = await TimeOutTwentyTimes(silo.Grains);

        TestContext.Current.TestOutputHelper?.WriteLine(string.Join(", ", lateness.Order().Select(static late => $"{late.TotalMilliseconds:F0} ms")));
        Defect.ShowsAgain(lateness.Any(static late => late > TimeSpan.FromSeconds(0.5)), "Response timeouts come late");
    }

    private static async Task<TimeSpan[]> TimeOutTwentyTimes(IGrainFactory grains) =>
        await Task.WhenAll(Enumerable.Range(0, 20).Select(async i =>
        {
            await Task.Delay(i * 50);
            var start = Stopwatch.GetTimestamp();

            // [ResponseTimeout("00:00:00.200")] and an answer after three seconds.
            var call = grains.GetGrain<IUpstreamGrain>(Guid.NewGuid()).AnswerTooLate();
            await call.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            return Stopwatch.GetElapsedTime(start) - TimeSpan.FromMilliseconds(200);
        }));
}
