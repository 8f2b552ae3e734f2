using System.Collections.Concurrent;
using ScalableTimers.Testing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timers;

/// <summary>Timers of <see cref="TimerService.CreateTimer"/>: when they fire, and how they end.</summary>
public sealed class ServiceTimerTests : IDisposable
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;
    private readonly ConcurrentQueue<TimeSpan> _fired = new();

    public ServiceTimerTests() => _service = new TimerService(clock: _clock);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void CreateTimer_Periodic_FiresOnTheGridOfItsFirstDueTime()
    {
        using var timer = CreateNoting(TimeSpan.FromMilliseconds(300), TimeSpan.FromMilliseconds(200));

        _clock.Advance(s_second);

        Assert.Equal([300, 500, 700, 900], Milliseconds());
        Assert.Equal((1L, 5L, 4L, 0L), Counts(_service));
    }

    [Fact]
    public void Periodic_PeriodIsNoMultipleOfTheResolution_DoesNotDrift()
    {
        using var timer = CreateNoting(TimeSpan.FromMilliseconds(7), TimeSpan.FromMilliseconds(7));

        _clock.Advance(TimeSpan.FromMilliseconds(70));

        Assert.Equal([10, 20, 30, 30, 40, 50, 50, 60, 70, 70], Milliseconds());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void CreateTimer_PeriodIsZeroOrInfinite_FiresOnce(int period)
    {
        using var timer = CreateNoting(s_second, TimeSpan.FromMilliseconds(period));

        _clock.Advance(s_hour);

        Assert.Equal([1_000], Milliseconds());
    }

    [Fact]
    public void CreateTimer_Infinite_FiresWhenChangedOnly()
    {
        using var timer = CreateNoting(Timeout.InfiniteTimeSpan, s_second);
        _clock.Advance(s_hour);
        Assert.Empty(_fired);
        Assert.Equal(0, _service.GetSnapshot().Pending);

        Assert.True(timer.Change(s_second, Timeout.InfiniteTimeSpan));
        _clock.Advance(s_hour);

        Assert.Equal([s_hour + s_second], _fired);
    }

    [Fact]
    public void Change_Periodic_BeginsANewGrid()
    {
        using var timer = CreateNoting(s_second, s_second);
        _clock.Advance(TimeSpan.FromMilliseconds(1_500));

        Assert.True(timer.Change(TimeSpan.FromMilliseconds(200), TimeSpan.FromMilliseconds(400)));
        _clock.Advance(s_second);

        Assert.Equal([1_000, 1_700, 2_100, 2_500], Milliseconds());
        Assert.Equal(1, _service.GetSnapshot().Cancelled);
    }

    [Fact]
    public void Change_LongestDurations_AreAccepted()
    {
        using var timer = CreateNoting(
            TimeSpan.MaxValue, TimeSpan.MaxValue, new PeriodicTimerOptions { Tolerance = TimeSpan.MaxValue });

        Assert.True(timer.Change(s_second, TimeSpan.MaxValue));
        _clock.Advance(TimeSpan.FromDays(365 * 1_000));

        // The tolerance spans everything, so the chosen tick is the one with the most zero bits. No firing may come.
        Assert.Equal((1L, 0L), (_service.GetSnapshot().Pending, _service.GetSnapshot().Fired));
    }

    [Fact]
    public void CreateTimer_LongestPeriod_FiresAtItsDueTime()
    {
        using var timer = CreateNoting(s_second, TimeSpan.MaxValue);

        _clock.Advance(TimeSpan.FromDays(365 * 1_000));

        Assert.Equal([s_second], _fired);
    }

    [Fact]
    public void MissedPeriods_DuringAPause_AreOneFiringAndCounted()
    {
        var clock = new HandClock();
        using var service = Services.OnThePool(clock);
        var period = TimeSpan.FromMilliseconds(100);
        using var timer = service.CreateTimer(s_ignore, null, period, period);

        // The clock stood still for ten and a half periods. There is one firing, nine are skipped, and the eleventh is
        // still to come.
        clock.SkipAndRing(TimeSpan.FromMilliseconds(1_050));

        var counted = service.GetSnapshot();
        Assert.Equal((11L, 1L, 9L), (counted.Scheduled, counted.Pending, counted.Skipped));
        Assert.Equal(110, service.Driver.NextWakeTick);
    }

    [Fact]
    public void PeriodBelowTheResolution_OnThePool_FiresOnceATickAndCountsTheRest()
    {
        var clock = new HandClock();
        using var service = Services.OnThePool(clock);
        var period = TimeSpan.FromMilliseconds(4);
        using var timer = service.CreateTimer(s_ignore, null, period, period);

        // 4 and 8 expire at tick 1, 12 to 20 at tick 2.
        clock.SkipAndRing(TimeSpan.FromMilliseconds(10));
        Assert.Equal(1, service.GetSnapshot().Skipped);
        Assert.Equal(2, service.Driver.NextWakeTick);
    }

    [Fact]
    public void Callback_GetsItsState()
    {
        object? seen = null;
        var state = new object();
        using var timer = _service.CreateTimer(given => seen = given, state, s_second, Timeout.InfiniteTimeSpan);

        _clock.Advance(s_second);

        Assert.Same(state, seen);
    }

    [Fact]
    public void Callback_SeesNothingOfTheCreation()
    {
        var local = new AsyncLocal<string?> { Value = "creation" };
        var seen = "not called";
        using var timer = _service.CreateTimer(_ => seen = local.Value, null, s_second, Timeout.InfiniteTimeSpan);
        local.Value = null;

        _clock.Advance(s_second);

        Assert.Null(seen);
    }

    [Fact]
    public void Callback_Throws_GoesOn()
    {
        using var timer = _service.CreateTimer(
            static _ => throw new InvalidOperationException("Thrown by the callback."), null, s_second, s_second);

        _clock.Advance(5 * s_second);

        Assert.Equal(
            (5L, 5L, 0L),
            (_service.GetSnapshot().Fired, _service.GetSnapshot().Failed, _service.GetSnapshot().Skipped));
    }

    [Fact]
    public void CreateTimer_InvalidArguments_AreNamed()
    {
        Assert.Throws<ArgumentNullException>("callback", () => _service.CreateTimer(null!, null, s_second, s_second));
        Assert.Throws<ArgumentOutOfRangeException>(
            "dueTime", () => _service.CreateTimer(s_ignore, null, -s_second, s_second));
        Assert.Throws<ArgumentOutOfRangeException>(
            "period", () => _service.CreateTimer(s_ignore, null, s_second, -s_second));
        using var timer = CreateNoting(s_second, s_second);
        Assert.Throws<ArgumentOutOfRangeException>("dueTime", () => timer.Change(-s_second, s_second));
        Assert.Throws<ArgumentOutOfRangeException>("period", () => timer.Change(s_second, -s_second));

        // A refused change changes nothing.
        _clock.Advance(s_second);
        Assert.Single(_fired);
    }

    [Fact]
    public void Dispose_Periodic_StopsFurtherFiringsAndChanges()
    {
        var timer = CreateNoting(s_second, s_second);
        _clock.Advance(3 * s_second);

        timer.Dispose();
        timer.Dispose();
        _clock.Advance(s_hour);

        Assert.False(timer.Change(s_second, s_second));
        Assert.Equal(3, _fired.Count);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public async Task DisposeAsync_CallbackRuns_WaitsForIt()
    {
        using var service = Services.OnThePool(_clock);
        using var started = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        var ended = false;
        var timer = service.CreateTimer(
            _ =>
            {
                started.Set();
                Wait.For(release, "release");
                ended = true;
            },
            null,
            s_second,
            s_second);
        _clock.Advance(s_second);
        Wait.For(started, "the callback started");

        var disposing = timer.DisposeAsync().AsTask();
        Assert.False(disposing.IsCompleted);

        release.Set();
        await Wait.For(disposing, "DisposeAsync");
        Assert.True(ended);
    }

    [Fact]
    public async Task DisposeAsync_InsideItsOwnCallback_CompletesAfterIt()
    {
        ITimer? timer = null;
        Task? disposing = null;
        var wasCompleted = true;
        timer = _service.CreateTimer(
            _ =>
            {
                disposing = timer!.DisposeAsync().AsTask();
                wasCompleted = disposing.IsCompleted;
            },
            null,
            s_second,
            s_second);

        _clock.Advance(s_hour);

        Assert.False(wasCompleted);
        await Wait.For(disposing!, "DisposeAsync");
        Assert.Equal(1, _service.GetSnapshot().Fired);
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
            (0L, 1L, 0L),
            (_service.GetSnapshot().Pending, _service.GetSnapshot().Dropped, _service.GetSnapshot().HandedOver));
        Assert.Equal((false, false), (timer.Change(s_second, s_second), stopped.Change(s_second, s_second)));
        Assert.Throws<ObjectDisposedException>(() => CreateNoting(s_second, s_second));
        timer.Dispose();
    }

    [Fact]
    public async Task StopOfTheService_LetsTheTimerGoOn()
    {
        using var timer = CreateNoting(s_second, s_second);

        await _service.StopAsync(TestContext.Current.CancellationToken);
        _clock.Advance(2 * s_second);

        Assert.Equal(2, _fired.Count);
    }

    [Fact]
    public void Drop_StoppedTimer_IsCollectable()
    {
        var stopped = Services.InAFrameOfItsOwn(() =>
        {
            var timer = CreateNoting(s_second, s_second);
            timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            return new WeakReference(timer);
        });
        var fired = Services.InAFrameOfItsOwn(
            () => new WeakReference(CreateNoting(s_second, Timeout.InfiniteTimeSpan)));
        _clock.Advance(s_second);

        Wait.ForCollection(stopped, fired);
        Assert.Single(_fired);
        GC.KeepAlive(this);
    }

    // Failed while unlinking the oldest entry of a slot left the next one's link to it.
    [Fact]
    public void Drop_StoppedTimerWhoseNeighbourIsPending_IsCollectable()
    {
        var (stopped, neighbour) = Services.InAFrameOfItsOwn(() =>
        {
            var timer = CreateNoting(s_second, Timeout.InfiniteTimeSpan);
            var neighbour = CreateNoting(s_second, Timeout.InfiniteTimeSpan);
            timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            return (new WeakReference(timer), neighbour);
        });

        Wait.ForCollection(stopped);
        _clock.Advance(s_second);
        Assert.Single(_fired);
        GC.KeepAlive(neighbour);
    }

    [Fact]
    public void Drop_ArmedTimer_FiresAllTheSame()
    {
        _ = Services.InAFrameOfItsOwn(() => CreateNoting(s_second, s_second).GetHashCode());
        Services.CollectGarbage();

        _clock.Advance(2 * s_second);

        Assert.Equal(2, _fired.Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Dispose_OfTimerOrService_LetsGoOfCallbackAndState(bool ofTheService)
    {
        var (timer, state) = Services.InAFrameOfItsOwn(() =>
        {
            var state = new object();
            return (_service.CreateTimer(static _ => { }, state, s_hour, s_hour), new WeakReference(state));
        });
        ((IDisposable)(ofTheService ? _service : timer)).Dispose();

        Wait.ForCollection(state);
        GC.KeepAlive(timer);
    }

    [Fact]
    public void CreateTimer_OfEitherKind_TakesNoMoreThanItNeeds()
    {
        var provider = _service.TimeProvider;
        var options = new PeriodicTimerOptions();

        Assert.Equal(104, Bytes(() => _service.CreateTimer(s_ignore, null, s_hour, s_hour, options)));
        Assert.Equal(96, Bytes(() => provider.CreateTimer(s_ignore, null, s_hour, s_hour)));

        // .NET's own types create timers in this way.
        using var flow = ExecutionContext.SuppressFlow();
        Assert.Equal(88, Bytes(() => provider.CreateTimer(s_ignore, null, s_hour, s_hour)));
    }

    // The least of several rounds counts, because the runtime itself allocates now and then.
    private static long Bytes(Func<ITimer> create)
    {
        var least = long.MaxValue;
        for (var i = 0; i < 20; i++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            var timer = create();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
            timer.Dispose();
        }

        return least;
    }

    private static (long Pending, long Scheduled, long Fired, long Skipped) Counts(TimerService service)
    {
        var counted = service.GetSnapshot();
        return (counted.Pending, counted.Scheduled, counted.Fired, counted.Skipped);
    }

    private ITimer CreateNoting(TimeSpan dueTime, TimeSpan period, PeriodicTimerOptions? options = null) =>
        _service.CreateTimer(_clock.Note(_fired), null, dueTime, period, options);

    private IEnumerable<int> Milliseconds() => _fired.Select(static elapsed => (int)elapsed.TotalMilliseconds);
}
