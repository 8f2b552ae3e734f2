using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The code about periodic timers.</summary>
public sealed class PeriodicTimerSnippets
{
    [Fact]
    public async Task Housekeeping_EveryHalfMinute_SharesWakeUps()
    {
        var clock = new ManualTimeProvider();
        using var timers = new TimerService(new(), clock: clock);
        var cache = new Cache();

        var housekeeping = timers.CreatePeriodicTimer(
            static cache => cache.RemoveOldEntries(),
            cache,
            dueTime: TimeSpan.FromSeconds(30),
            period: TimeSpan.FromSeconds(30),
            tolerance: TimeSpan.FromSeconds(3));

        clock.Advance(TimeSpan.FromMinutes(10));
        Assert.InRange(cache.Removals, 19, 20);

        await housekeeping.DisposeAsync();

        Assert.Equal(0, timers.GetSnapshot().Pending);
    }

    private sealed class Cache
    {
        internal int Removals { get; private set; }

        internal void RemoveOldEntries() => Removals++;
    }
}
