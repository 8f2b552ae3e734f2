using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The code of the page about periodic timers.</summary>
public sealed class PeriodicTimerSnippets
{
    [Fact]
    public async Task Housekeeping_EveryHalfMinute_SharesWakeUps()
    {
        var clock = new ManualTimeProvider();
        using var timers = new TimerService(clock: clock);
        var cache = new Cache();

        var housekeeping = timers.CreateTimer(
            static cache => ((Cache)cache!).RemoveOldEntries(),
            cache,
            dueTime: TimeSpan.FromSeconds(30),
            period: TimeSpan.FromSeconds(30),
            new CreateTimerOptions { Tolerance = TimeSpan.FromSeconds(3) });

        clock.Advance(TimeSpan.FromMinutes(10));
        Assert.InRange(cache.Removals, 19, 20);

        housekeeping.Change(TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(5));   // a new grid, from now
        housekeeping.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan); // stopped; may be started again
        await housekeeping.DisposeAsync();                                       // ended, and no callback runs

        Assert.Equal(0, timers.GetSnapshot().Pending);
    }

    [Fact]
    public void Report_AtAMomentOfTheDay_BeginsThenAndOnceADay()
    {
        var clock = new ManualTimeProvider();
        using var timers = new TimerService(clock: clock);
        var log = new Log(clock);
        var midnight = clock.GetUtcNow().AddHours(7);

        var report = timers.CreateTimer(
            static log => ((Log)log!).Write(),
            log,
            dueTime: midnight - clock.GetUtcNow(),
            period: TimeSpan.FromDays(1),
            new CreateTimerOptions { Tolerance = TimeSpan.FromSeconds(1) });

        clock.Advance(TimeSpan.FromDays(2.5));
        report.Dispose();
        Assert.Equal(3, log.Written.Count);
        Assert.All(
            log.Written.Select((at, day) => at - midnight.AddDays(day)),
            static late => Assert.InRange(late, TimeSpan.Zero, TimeSpan.FromSeconds(1.01)));
    }

    private sealed class Log(TimeProvider clock)
    {
        internal List<DateTimeOffset> Written { get; } = [];

        internal void Write() => Written.Add(clock.GetUtcNow());
    }

    private sealed class Cache
    {
        internal int Removals { get; private set; }

        internal void RemoveOldEntries() => Removals++;
    }
}
