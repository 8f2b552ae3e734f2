using System.Collections.Concurrent;
using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Timers;

/// <summary>Timers that may be late by a tolerance fire together, and stay on their grids.</summary>
public sealed class ServiceTimerToleranceTests : IDisposable
{
    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;
    private readonly ConcurrentQueue<TimeSpan> _fired = new();

    public ServiceTimerToleranceTests() => _service = new TimerService(clock: _clock);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Tolerance_Periodic_DelaysFiringsAndNotTheGrid()
    {
        using var timer = Create(dueTime: 1_000, period: 1_000, tolerance: 100);

        _clock.Advance(TimeSpan.FromMilliseconds(4_500));

        // Ticks are 10 ms long. The best tick of 100 to 110 is 104, of 200 to 210 it is 208, of 300 to 310 it is 304,
        // and 400 is itself the best.
        Assert.Equal([1_040, 2_080, 3_040, 4_000], Milliseconds());
    }

    [Fact]
    public void Tolerance_DueTimesThatDiffer_FireInOneWakeUp()
    {
        var timers = Enumerable.Range(0, 8)
            .Select(i => Create(dueTime: 970 + (10 * i), period: -1, tolerance: 70))
            .ToList();
        _clock.Advance(TimeSpan.FromMilliseconds(960));
        var wakeUps = _service.GetSnapshot().DriverWakeUps;

        _clock.Advance(TimeSpan.FromMilliseconds(200));

        Assert.Equal(Enumerable.Repeat(1_040, 8), Milliseconds());
        Assert.Equal(1, _service.GetSnapshot().DriverWakeUps - wakeUps);
        timers.ForEach(static timer => timer.Dispose());
    }

    [Theory]
    [InlineData(0, 1_010)]
    [InlineData(7.9, 1_010)]
    [InlineData(8, 1_010)]
    [InlineData(19, 1_020)]
    [InlineData(39, 1_040)]
    public void Tolerance_BetweenTicks_IsNeitherEarlyNorLater(double tolerance, int expected)
    {
        // The timer is due between ticks 100 and 101. If its tolerance ends before the next tick begins, it still fires
        // at that tick.
        using var timer = Create(dueTime: 1_002, period: -1, tolerance);

        _clock.Advance(TimeSpan.FromMilliseconds(2_000));

        Assert.Equal([expected], Milliseconds());
    }

    [Theory]
    [InlineData(100)]
    [InlineData(1_000)]
    [InlineData(1e9)]
    public void Tolerance_OfAPeriodOrMore_LosesNoFiring(double tolerance)
    {
        using var timer = Create(dueTime: 100, period: 100, tolerance);

        _clock.Advance(TimeSpan.FromMilliseconds(600));

        // The best tick of 10 to 19 is 16, of 20 to 29 it is 24, and then 32, 48 and 56.
        Assert.Equal([160, 240, 320, 480, 560], Milliseconds());
        Assert.Equal(0, _service.GetSnapshot().Skipped);
    }

    [Fact]
    public void Tolerance_OfAPeriodOrMore_OnThePool_CountsNothingAsSkipped()
    {
        var clock = new Clock.HandClock();
        using var service = Services.OnThePool(clock);
        var period = TimeSpan.FromMilliseconds(100);
        using var fired = new SemaphoreSlim(0);
        using var timer = service.CreateTimer(
            _ => fired.Release(),
            null,
            period,
            period,
            new PeriodicTimerOptions { Tolerance = period, Overlap = TimerOverlap.Allow });

        for (var tick = 0; tick < 1_000; tick++)
        {
            clock.SkipAndRing(TimeSpan.FromMilliseconds(10));
        }

        // All firings have come, except perhaps the last one, whose tolerance may not have ended.
        Assert.InRange(service.GetSnapshot().Scheduled, 100, 101);
        Assert.Equal(0, service.GetSnapshot().Skipped);
    }

    [Fact]
    public void Change_KeepsTheTolerance()
    {
        using var timer = Create(dueTime: -1, period: -1, tolerance: 100);

        timer.Change(TimeSpan.FromMilliseconds(1_000), Timeout.InfiniteTimeSpan);
        _clock.Advance(TimeSpan.FromMilliseconds(2_000));

        Assert.Equal([1_040], Milliseconds());
    }

    private ITimer Create(double dueTime, double period, double tolerance) => _service.CreateTimer(
        _clock.Note(_fired),
        null,
        TimeSpan.FromMilliseconds(dueTime),
        TimeSpan.FromMilliseconds(period),
        new PeriodicTimerOptions { Tolerance = TimeSpan.FromMilliseconds(tolerance) });

    private IEnumerable<int> Milliseconds() => _fired.Select(static elapsed => (int)elapsed.TotalMilliseconds);
}
