using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Tests.Upstream;

public sealed class CallDefectTests(StockSilo silo) : IClassFixture<StockSilo>
{
    [Fact]
    public async Task ResponseTimeout_Of200Milliseconds_ComesUpToASecondLate()
    {
        var lateness = await TimeOutTwentyTimes(silo.Grains);

        TestContext.Current.TestOutputHelper?.WriteLine(
            string.Join(", ", lateness.Order().Select(static late => $"{late.TotalMilliseconds:F0} ms")));
        Defect.ShowsAgain(lateness.Any(static late => late > TimeSpan.FromSeconds(0.5)), "Response timeouts come late");
    }

    [Fact]
    public async Task Request_ItsCallerHasGivenUp_MakesItsCallsForNobody()
    {
        var (grain, other) = (
            silo.Grains.GetGrain<IUpstreamGrain>(Guid.NewGuid()), silo.Grains.GetGrain<IUpstreamGrain>(Guid.NewGuid()));

        // [ResponseTimeout("00:00:00.200")]
        await Assert.ThrowsAsync<TimeoutException>(() => grain.AskWhenTheCallerHasGivenUp(other));

        var wasCalled = await Task.Run(async () =>
        {
            for (var i = 0; i < 100 && !UpstreamGrain.Log.ContainsKey(other.GetGrainId()); i++)
            {
                await Task.Delay(50);
            }

            return UpstreamGrain.Log.ContainsKey(other.GetGrainId());
        });
        Defect.ShowsAgain(wasCalled, "A request does not know what its caller has left");
    }

    [Fact]
    public void CallContext_OfFilters_TellsNoTime()
    {
        Type[] contexts =
        [
            typeof(IGrainCallContext), typeof(IIncomingGrainCallContext), typeof(IOutgoingGrainCallContext)
        ];
        Type[] times =
        [
            typeof(TimeSpan), typeof(TimeSpan?), typeof(DateTime), typeof(DateTimeOffset), typeof(long), typeof(long?)
        ];

        var tell = contexts.SelectMany(static context => context.GetProperties())
            .Where(property => times.Contains(property.PropertyType));

        Defect.ShowsAgain(!tell.Any(), "A request does not know what its caller has left");
    }

    [Fact]
    public async Task Call_GivenUpByItsCaller_StaysUntilItIsAnswered()
    {
        var (withoutToken, withToken) = await GiveUp(silo.Grains, calls: 100);

        TestContext.Current.TestOutputHelper?.WriteLine(
            $"Outstanding: {withoutToken} calls without a token, {withToken} with one.");

        // The number is negative if some of the other calls have been answered meanwhile.
        Assert.InRange(withToken, -withoutToken, 0);
        Defect.ShowsAgain(withoutToken == 100, "A call that was given up stays");
    }

    private async Task<(int WithoutToken, int WithToken)> GiveUp(IGrainFactory grains, int calls)
    {
        var grain = grains.GetGrain<IUpstreamGrain>(Guid.NewGuid());
        var before = Outstanding(grain);
        await Task.WhenAll(Enumerable.Range(0, calls).Select(_ =>
            grain.HoldFor(TimeSpan.FromSeconds(3)).WaitAsync(TimeSpan.FromMilliseconds(100))))
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        var withoutToken = Outstanding(grain) - before;

        using var patience = new CancellationTokenSource(TimeSpan.FromMilliseconds(100));
        await Task.WhenAll(Enumerable.Range(0, calls).Select(_ =>
            grain.HoldUntil(TimeSpan.FromSeconds(3), patience.Token)))
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return (withoutToken, Outstanding(grain) - before - withoutToken);
    }

    /// <summary>The number of outstanding calls of the interface in this silo.</summary>
    private int Outstanding(IUpstreamGrain grain)
    {
        // Inside Orleans this is IRuntimeClient.GetRunningRequestsCount. It is internal.
        var client = typeof(BatchWorker).Assembly.GetType("Orleans.Runtime.IRuntimeClient", throwOnError: true)!;
        return (int)client.GetMethod("GetRunningRequestsCount")!.Invoke(
            silo.Services.GetRequiredService(client), [((GrainReference)grain).InterfaceType])!;
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
