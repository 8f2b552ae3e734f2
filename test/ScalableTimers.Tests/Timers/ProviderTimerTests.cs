using System.Collections.Concurrent;
using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timers;

public sealed class ProviderTimerTests : IDisposable
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;
    private readonly ConcurrentQueue<TimeSpan> _fired = new();

    public ProviderTimerTests() =>
        _service = new TimerService(clock: _clock, logger: NullLogger<TimerService>.Instance);

    /// <summary>Durations around the ends of what .NET's timers accept.</summary>
    public static TheoryData<TimeSpan> EdgesOfTheRange() =>
    [
        TimeSpan.MinValue,
        TimeSpan.FromMilliseconds(-3),
        TimeSpan.FromMilliseconds(-2),
        TimeSpan.FromMilliseconds(-2) + TimeSpan.FromTicks(1),
        TimeSpan.FromMilliseconds(-1) - TimeSpan.FromTicks(1),
        TimeSpan.FromMilliseconds(-1),
        TimeSpan.FromMilliseconds(-1) + TimeSpan.FromTicks(1),
        TimeSpan.FromTicks(-1),
        TimeSpan.Zero,
        TimeSpan.FromTicks(1),
        TimeSpan.FromMilliseconds(0xFFFFFFFE),
        TimeSpan.FromMilliseconds(0xFFFFFFFE) + TimeSpan.FromTicks(9_999),
        TimeSpan.FromMilliseconds(0xFFFFFFFF),
        TimeSpan.MaxValue,
    ];

    public void Dispose() => _service.Dispose();

    [Fact]
    public void CreateTimer_Infinite_FiresWhenChangedOnly()
    {
        using var timer = CreateNoting(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _clock.Advance(s_hour);
        Assert.Empty(_fired);
        Assert.Equal(0, _service.GetSnapshot().Pending);

        Assert.True(timer.Change(s_second, Timeout.InfiniteTimeSpan));
        _clock.Advance(s_second);

        Assert.Equal([s_hour + s_second], _fired);
    }

    [Fact]
    public void Periodic_PeriodIsNoMultipleOfTheResolution_DoesNotDrift()
    {
        // Each firing is rounded up to a tick separately. The grid is not rounded.
        using var timer = CreateNoting(TimeSpan.FromMilliseconds(7), TimeSpan.FromMilliseconds(7));

        _clock.Advance(TimeSpan.FromMilliseconds(70));

        Assert.Equal([10, 20, 30, 30, 40, 50, 50, 60, 70, 70], Milliseconds());
    }

    [Fact]
    public void Change_Pending_FiresAtTheNewTimeOnly()
    {
        using var timer = CreateNoting(s_second, Timeout.InfiniteTimeSpan);

        Assert.True(timer.Change(2 * s_second, Timeout.InfiniteTimeSpan));
        _clock.Advance(s_hour);

        Assert.Equal([2 * s_second], _fired);
    }

    [Fact]
    public void Change_Infinite_StopsIt()
    {
        using var timer = CreateNoting(s_second, s_second);
        _clock.Advance(2 * s_second);

        Assert.True(timer.Change(Timeout.InfiniteTimeSpan, s_second));
        _clock.Advance(s_hour);

        Assert.Equal(2, _fired.Count);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public void Change_PeriodToInfiniteOrZero_FiresOnceMore()
    {
        foreach (var period in (TimeSpan[])[Timeout.InfiniteTimeSpan, TimeSpan.Zero])
        {
            _fired.Clear();
            using var timer = CreateNoting(s_second, s_second);

            Assert.True(timer.Change(s_second, period));
            _clock.Advance(s_hour);

            Assert.Single(_fired);
        }
    }

    [Fact]
    public void Change_InsideItsOwnCallback_DecidesTheNextFiring()
    {
        ITimer? timer = null;
        timer = _service.TimeProvider.CreateTimer(
            _ =>
            {
                _fired.Enqueue(_clock.Elapsed);
                timer!.Change(TimeSpan.FromMilliseconds(50 * _fired.Count), Timeout.InfiniteTimeSpan);
            },
            null,
            TimeSpan.FromMilliseconds(50),
            TimeSpan.FromMilliseconds(10));

        _clock.Advance(TimeSpan.FromMilliseconds(400));

        Assert.Equal([50, 100, 200, 350], Milliseconds());
        timer.Dispose();
    }

    [Fact]
    public void Dispose_Periodic_StopsFurtherFirings()
    {
        var timer = CreateNoting(s_second, s_second);
        _clock.Advance(3 * s_second);

        timer.Dispose();
        timer.Dispose();
        _clock.Advance(s_hour);

        Assert.Equal(3, _fired.Count);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public async Task Dispose_ExpiredAndNotYetFired_DoesNotFire()
    {
        using var service = Services.OnThePool(_clock);
        var dispatcher = new FiringDispatcher(service.Clock, NullLogger.Instance);
        var wasFired = false;
        var timer = service.TimeProvider.CreateTimer(_ => wasFired = true, null, s_second, Timeout.InfiniteTimeSpan);
        var batch = dispatcher.Rent();
        service.CurrentQueue().Expire(nowTick: 100, batch);
        Assert.Equal(1, batch.Count);

        timer.Dispose();
        batch.Queue(now: 0);

        await Wait.For(dispatcher.WaitForOthersAsync(), "the batch");
        Assert.False(wasFired, "A timer fired after it had been disposed.");
        Assert.Equal(0, dispatcher.Failed);
    }

    [Fact]
    public async Task DisposeAsync_CallbackRuns_WaitsForIt()
    {
        using var service = Services.OnThePool(_clock);
        using var started = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        var ended = false;
        var timer = service.TimeProvider.CreateTimer(
            _ =>
            {
                started.Set();
                Wait.For(release, "release");
                ended = true;
            },
            null,
            s_second,
            Timeout.InfiniteTimeSpan);
        _clock.Advance(s_second);
        Wait.For(started, "the callback started");

        var disposing = timer.DisposeAsync().AsTask();
        var disposingAgain = timer.DisposeAsync().AsTask();
        Assert.False(disposing.IsCompleted);

        release.Set();
        await Wait.For(disposing, "DisposeAsync");
        await Wait.For(disposingAgain, "the second DisposeAsync");
        Assert.True(ended);
        Assert.True(timer.DisposeAsync().IsCompletedSuccessfully);
    }

    [Fact]
    public void DisposeAsync_NothingRuns_IsCompletedAtOnce()
    {
        var timer = CreateNoting(s_second, s_second);
        Assert.True(timer.DisposeAsync().IsCompletedSuccessfully);

        var fired = CreateNoting(s_second, Timeout.InfiniteTimeSpan);
        _clock.Advance(s_second);
        Assert.True(fired.DisposeAsync().IsCompletedSuccessfully);
    }

    [Fact]
    public async Task DisposeAsync_InsideItsOwnCallback_DoesNotWaitForIt()
    {
        ITimer? timer = null;
        Task? disposing = null;
        var wasCompleted = false;
        timer = _service.TimeProvider.CreateTimer(
            _ =>
            {
                disposing = timer!.DisposeAsync().AsTask();
                wasCompleted = disposing.IsCompleted;
            },
            null,
            s_second,
            s_second);

        _clock.Advance(s_second);

        Assert.True(wasCompleted);
        await disposing!;
    }

    [Fact]
    public async Task DisposeAsync_CallbackThrows_CompletesAllTheSame()
    {
        ITimer? timer = null;
        Task? disposing = null;
        timer = _service.TimeProvider.CreateTimer(
            _ =>
            {
                disposing = timer!.DisposeAsync().AsTask();
                throw new InvalidOperationException("Thrown by the callback.");
            },
            null,
            s_second,
            s_second);

        _clock.Advance(s_hour);

        await Wait.For(disposing!, "DisposeAsync");
        Assert.Equal((1L, 1L), (_service.GetSnapshot().Fired, _service.GetSnapshot().Failed));
    }

    [Fact]
    public void Periodic_CallbackThrows_GoesOn()
    {
        using var timer = _service.TimeProvider.CreateTimer(
            static _ => throw new InvalidOperationException("Thrown by the callback."), null, s_second, s_second);

        _clock.Advance(5 * s_second);

        Assert.Equal((5L, 5L), (_service.GetSnapshot().Fired, _service.GetSnapshot().Failed));
    }

    // With the system's clock an exception ended the process. Here Advance threw it, and the timers behind it did not
    // fire.
    [Fact]
    public void Outliving_CallbacksThrow_AllFireAndAreLoggedAndCounted()
    {
        var logger = new CollectingLogger();
        var service = new TimerService(clock: _clock, logger: logger);
        var calls = 0;
        for (var i = 0; i < 3; i++)
        {
            _ = service.TimeProvider.CreateTimer(
                _ =>
                {
                    calls++;
                    throw new InvalidOperationException("Thrown by the callback.");
                },
                null,
                s_second,
                Timeout.InfiniteTimeSpan);
        }

        service.Dispose();
        _clock.Advance(s_second);

        Assert.Equal((3, 3L, 3L), (calls, service.GetSnapshot().Fired, service.GetSnapshot().Failed));
        Assert.Equal(3, logger.Entries.Count(static entry => entry.Exception is InvalidOperationException));
    }

    // Failed while the clock's timer called the callbacks without a guard.
    [Fact]
    public void Outliving_CallbacksSetAnAsyncLocalAndAContext_NeitherReachesTheNextNorTheCaller()
    {
        var local = new AsyncLocal<string?>();
        var before = SynchronizationContext.Current;
        var seen = new List<string?>();
        using (ExecutionContext.SuppressFlow())
        {
            for (var i = 0; i < 3; i++)
            {
                _ = _service.TimeProvider.CreateTimer(
                    _ =>
                    {
                        seen.Add(local.Value);
                        local.Value = "leaked";
                        SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
                    },
                    null,
                    s_second,
                    Timeout.InfiniteTimeSpan);
            }
        }

        _service.Dispose();
        _clock.Advance(s_second);
        var after = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(before);

        Assert.Equal([null, null, null], seen);
        Assert.Equal((null, before), (local.Value, after));
    }

    // Failed when a callback that was handed over counted as a callback of the service on its thread. Then a callback
    // of the service was taken for it.
    [Fact]
    public async Task Outliving_CallbackDisposesTheService_WaitsForTheCallbacksOfTheService()
    {
        var service = Services.OnThePool(_clock);
        using var started = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        _ = service.Schedule(
            _ =>
            {
                started.Set();
                Wait.For(release, "release");
            },
            null,
            s_second);
        _clock.Advance(s_second);
        Wait.For(started, "the callback of the service");
        Task? disposing = null;
        _ = service.TimeProvider.CreateTimer(
            _ => disposing = service.DisposeAsync().AsTask(), null, s_second, Timeout.InfiniteTimeSpan);
        service.Dispose();

        _clock.Advance(s_second);

        Assert.False(disposing!.IsCompleted);
        release.Set();
        await Wait.For(disposing, "DisposeAsync");
    }

    [Fact]
    public void Callback_RunsInTheExecutionContextOfCreation()
    {
        var local = new AsyncLocal<string> { Value = "creation" };
        string? seen = null;
        using var timer = _service.TimeProvider.CreateTimer(
            _ => seen = local.Value, null, s_second, Timeout.InfiniteTimeSpan);
        local.Value = "later";

        timer.Change(s_second, Timeout.InfiniteTimeSpan);
        _clock.Advance(s_second);

        Assert.Equal("creation", seen);
        Assert.Equal("later", local.Value);
    }

    [Fact]
    public void Callback_CreatedWithFlowSuppressed_SeesNothingOfTheCreation()
    {
        var local = new AsyncLocal<string> { Value = "creation" };
        var seen = "not called";
        ITimer timer;
        using (ExecutionContext.SuppressFlow())
        {
            timer = _service.TimeProvider.CreateTimer(
                _ => seen = local.Value, null, s_second, Timeout.InfiniteTimeSpan);
        }

        local.Value = null!;
        _clock.Advance(s_second);

        Assert.Null(seen);
        timer.Dispose();
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

    [Fact]
    public void Drop_ArmedTimer_FiresAllTheSame()
    {
        _ = Services.InAFrameOfItsOwn(() => CreateNoting(s_second, Timeout.InfiniteTimeSpan).GetHashCode());
        Services.CollectGarbage();

        _clock.Advance(s_second);

        Assert.Single(_fired);
    }

    [Fact]
    public void Dispose_LetsGoOfCallbackAndState()
    {
        var (timer, state) = Services.InAFrameOfItsOwn(() =>
        {
            var state = new object();
            return (
                _service.TimeProvider.CreateTimer(static _ => { }, state, s_hour, s_hour), new WeakReference(state));
        });
        timer.Dispose();

        Wait.ForCollection(state);
        GC.KeepAlive(timer);
    }

    [Theory]
    [MemberData(nameof(EdgesOfTheRange))]
    public void CreateTimer_AnyDueTime_IsAcceptedOrRefusedAsByTheSystem(TimeSpan dueTime)
    {
        AssertSame(system => system.CreateTimer(s_ignore, null, dueTime, Timeout.InfiniteTimeSpan).Dispose());
        AssertSame(system => system.CreateTimer(s_ignore, null, Timeout.InfiniteTimeSpan, dueTime).Dispose());
    }

    [Theory]
    [MemberData(nameof(EdgesOfTheRange))]
    public void Change_AnyDueTime_IsAcceptedOrRefusedAsByTheSystem(TimeSpan dueTime)
    {
        using var system = TimeProvider.System.CreateTimer(
            s_ignore, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        using var ours = _service.TimeProvider.CreateTimer(
            s_ignore, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        AssertSame(
            () => system.Change(dueTime, Timeout.InfiniteTimeSpan),
            () => ours.Change(dueTime, Timeout.InfiniteTimeSpan));
        AssertSame(
            () => system.Change(Timeout.InfiniteTimeSpan, dueTime),
            () => ours.Change(Timeout.InfiniteTimeSpan, dueTime));
    }

    [Fact]
    public void CreateTimer_NoCallback_IsRefusedAsByTheSystem() =>
        AssertSame(system => system.CreateTimer(null!, null, s_second, s_second));

    [Fact]
    public void CreateTimer_NegativeFractionOfAMillisecond_IsDueAtOnce()
    {
        using var timer = CreateNoting(TimeSpan.FromMilliseconds(-0.5), Timeout.InfiniteTimeSpan);

        _clock.Advance(TimeSpan.Zero);

        Assert.Single(_fired);
    }

    [Fact]
    public void CreateTimer_LongestDueTime_FiresThen()
    {
        var longest = TimeSpan.FromMilliseconds(0xFFFFFFFE);
        using var timer = CreateNoting(longest, Timeout.InfiniteTimeSpan);

        _clock.Advance(longest - TimeSpan.FromMilliseconds(1));
        Assert.Empty(_fired);
        _clock.Advance(TimeSpan.FromMilliseconds(20));

        // The timer is due between two ticks, so it fires at the second one.
        Assert.Equal([TimeSpan.FromMilliseconds(4_294_967_300)], _fired);
    }

    private ITimer CreateNoting(TimeSpan dueTime, TimeSpan period) =>
        _service.TimeProvider.CreateTimer(_clock.Note(_fired), null, dueTime, period);

    private IEnumerable<int> Milliseconds() => _fired.Select(static elapsed => (int)elapsed.TotalMilliseconds);

    private void AssertSame(Action<TimeProvider> action) =>
        AssertSame(() => action(TimeProvider.System), () => action(_service.TimeProvider));

    private static void AssertSame(Action system, Action ours)
    {
        var expected = Record.Exception(system);
        var actual = Record.Exception(ours);
        Assert.Equal(expected?.GetType(), actual?.GetType());
        Assert.Equal((expected as ArgumentException)?.ParamName, (actual as ArgumentException)?.ParamName);
    }
}
