using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timeouts;

/// <summary>Compares shared timeout tokens with a sorted list of buckets, for hours of virtual time.</summary>
public class TimeoutTokensModelTests
{
    private static readonly long s_bucket = TimeSpan.FromMilliseconds(250).Ticks;

    // Seen to fail within the first hour when Source.End leaves the source among the others.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void GetTimeoutToken_RandomTimeoutsForHours_KeepsTheBucketsInFlightAndEndsEachAtItsEnd(int seed)
    {
        var random = new Random(seed);
        var clock = new ManualTimeProvider();
        using var service = new TimerService(new(), clock: clock);
        var model = new SortedSet<long>();
        var (asked, ended, early) = (0, 0, 0);
        while (clock.Elapsed < TimeSpan.FromHours(4))
        {
            var timeout = TimeSpan.FromTicks(1 + random.NextInt64(TimeSpan.TicksPerMinute));
            var end = RoundUp((clock.Elapsed + timeout).Ticks);
            model.Add(end);
            var registration = service.GetTimeoutToken(timeout).Register(() =>
            {
                ended++;
                early += clock.Elapsed.Ticks == end ? 0 : 1;
            });
            asked += random.Next(2) == 0 && registration.Unregister() ? 0 : 1;
            clock.Advance(TimeSpan.FromTicks(random.NextInt64(2 * TimeSpan.TicksPerSecond)));
            model.RemoveWhere(end => end <= clock.Elapsed.Ticks);

            Assert.True(
                model.Count == Count(service),
                $"{model.Count} buckets in flight, {Count(service)} sources, at {clock.Elapsed}, seed {seed}.");
        }

        clock.Advance(TimeSpan.FromMinutes(3));
        Assert.Equal((0, 0L, 0), (Count(service), service.GetSnapshot().Pending, clock.ArmedTimers));
        Assert.Equal((asked, 0), (ended, early));
    }

    private static long RoundUp(long ticks) => (ticks + s_bucket - 1) / s_bucket * s_bucket;

    private static int Count(TimerService service) => service.GetSnapshot().TimeoutTokens;
}
