using System.Collections.Concurrent;
using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timers;

/// <summary>Timers of <see cref="TimerService.CreatePeriodicTimer"/>: when they fire, and how they end.</summary>
public sealed partial class ChangeableTimerTests : IDisposable
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;
    private readonly ConcurrentQueue<TimeSpan> _fired = new();
    private readonly SemaphoreSlim _started = new(0);
    private readonly SemaphoreSlim _release = new(0);

    public ChangeableTimerTests() =>
        _service = new TimerService(Services.LogsExceptions, clock: _clock, logger: NullLogger<TimerService>.Instance);

    public void Dispose()
    {
        _service.Dispose();
        _started.Dispose();
        _release.Dispose();
    }

    [Fact]
    public void Change_LongestDurations_AreAccepted()
    {
        using var timer = CreateNoting(TimeSpan.MaxValue, TimeSpan.MaxValue, tolerance: TimeSpan.MaxValue);

        Assert.True(timer.Change(s_second, TimeSpan.MaxValue));
        _clock.Advance(TimeSpan.FromDays(365 * 1_000));

        // The tolerance spans everything, so the chosen tick is the one with the most zero bits. It must not fire.
        Assert.Equal((1L, 0L), (_service.GetSnapshot().Pending, _service.GetSnapshot().Fired));
    }

    [Fact]
    public void CreateTimer_InvalidArguments_AreNamed()
    {
        Assert.Throws<ArgumentNullException>(
            "callback", () => _service.CreatePeriodicTimer(null!, null, s_second, s_second));
        Assert.Throws<ArgumentOutOfRangeException>(
            "dueTime", () => _service.CreatePeriodicTimer(s_ignore, null, -s_second, s_second));
        Assert.Throws<ArgumentOutOfRangeException>(
            "period", () => _service.CreatePeriodicTimer(s_ignore, null, s_second, -s_second));
        using var timer = CreateNoting(s_second, s_second);
        Assert.Throws<ArgumentOutOfRangeException>("dueTime", () => timer.Change(-s_second, s_second));
        Assert.Throws<ArgumentOutOfRangeException>("period", () => timer.Change(s_second, -s_second));

        // A refused change changes nothing.
        _clock.Advance(s_second);
        Assert.Single(_fired);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(-TimeSpan.TicksPerMillisecond)]
    public void Tolerance_NegativeOrInfinite_IsNamedWithValueAndRange(long duration)
    {
        var tolerance = TimeSpan.FromTicks(duration);

        var exception = Assert.Throws<ArgumentOutOfRangeException>(
            "tolerance", () => CreateNoting(s_second, s_second, tolerance));

        Assert.Equal(tolerance, exception.ActualValue);
        Assert.Contains($"'{tolerance}'", exception.Message, StringComparison.Ordinal);
        Assert.Contains("greater than or equal to '00:00:00'", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void DisposeOfTheService_DropsTheTimer()
    {
        var timer = CreateNoting(s_second, s_second);
        var stopped = CreateNoting(Timeout.InfiniteTimeSpan, s_second);
        _clock.Advance(2 * s_second);

        _service.Dispose();
        _clock.Advance(s_hour);

        Assert.Equal(2, _fired.Count);
        Assert.Equal(
            (0L, 1L), (_service.GetSnapshot().Pending, _service.GetSnapshot().Dropped));
        Assert.Equal((false, false), (timer.Change(s_second, s_second), stopped.Change(s_second, s_second)));
        Assert.Throws<ObjectDisposedException>(() => CreateNoting(s_second, s_second));
        timer.Dispose();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Dispose_OfTimerOrService_LetsGoOfCallbackAndState(bool ofTheService)
    {
        var (timer, state) = Services.InAFrameOfItsOwn(() =>
        {
            var state = new object();
            return (_service.CreatePeriodicTimer(static _ => { }, state, s_hour, s_hour), new WeakReference(state));
        });
        ((IDisposable)(ofTheService ? _service : timer)).Dispose();

        Wait.ForCollection(state);
        GC.KeepAlive(timer);
    }

    [Fact]
    public void Tolerance_DueTimesThatDiffer_FireInOneWakeUp()
    {
        var timers = Enumerable.Range(0, 8)
            .Select(i => CreateTolerant(dueTime: 970 + (10 * i), period: -1, tolerance: 70))
            .ToList();
        _clock.Advance(TimeSpan.FromMilliseconds(960));
        var wakeUps = _service.GetSnapshot().DriverWakeUps;

        _clock.Advance(TimeSpan.FromMilliseconds(200));

        Assert.Equal(Enumerable.Repeat(1_040, 8), Milliseconds());
        Assert.Equal(1, _service.GetSnapshot().DriverWakeUps - wakeUps);
        timers.ForEach(static timer => timer.Dispose());
    }

    [Fact]
    public async Task DisposeOfTheService_CallbackRuns_DropsTheFiringThatWaits()
    {
        using var service = Services.OnThePool(_clock);
        var timer = service.CreatePeriodicTimer(Block, null, s_second, Timeout.InfiniteTimeSpan);
        _clock.Advance(s_second);
        await Started();
        timer.Change(s_second, Timeout.InfiniteTimeSpan);
        _clock.Advance(s_second);

        service.Dispose();
        _release.Release();
        await Ended(timer);
        _clock.Advance(10 * s_second);

        Assert.Equal(0, _started.CurrentCount);
        Assert.Equal(0, service.GetSnapshot().Pending);
    }

    private ITimer CreateNoting(TimeSpan dueTime, TimeSpan period, TimeSpan tolerance = default) =>
        _service.CreatePeriodicTimer(_clock.Note(_fired), null, dueTime, period, tolerance);

    private IEnumerable<int> Milliseconds() => _fired.Select(static elapsed => (int)elapsed.TotalMilliseconds);

    private ITimer CreateTolerant(int dueTime, int period, int tolerance) => CreateNoting(
        TimeSpan.FromMilliseconds(dueTime),
        TimeSpan.FromMilliseconds(period),
        TimeSpan.FromMilliseconds(tolerance));

    private void Block(object? state)
    {
        _started.Release();
        Assert.True(_release.Wait(TimeSpan.FromSeconds(30)), "Never came: release.");
    }

    private async Task Started() =>
        Assert.True(await _started.WaitAsync(TimeSpan.FromSeconds(30)), "Never came: a callback.");

    private static Task Ended(ITimer timer) => Wait.For(timer.DisposeAsync().AsTask(), "DisposeAsync");
}
