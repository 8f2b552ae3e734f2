using System.Diagnostics.Metrics;
using ScalableTimers.Metrics;
using ScalableTimers.Testing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests;

public sealed class TimerServiceTests : IDisposable
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly CollectingLogger _logger = new();
    private readonly TimerService _service;

    public TimerServiceTests() => _service = new TimerService(clock: _clock, logger: _logger);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Constructor_IsThePublicOne() => Assert.Single(typeof(TimerService).GetConstructors());

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void New_StartsNothingBeforeTheFirstTimer(bool firesOnDriverThread)
    {
        Assert.Equal(0, _clock.ArmedTimers);
        using var service = Services.WithSystemClock(TimerDriverKind.Thread, firesOnDriverThread);

        Assert.Empty(Services.DriverThreads(service));
    }

    [Fact]
    public void New_ClockHasTimersButNoTimestamps_IsRefusedAndNamed()
    {
        var exception = Assert.Throws<ArgumentException>(() => new TimerService(clock: new TimersOnlyClock()));

        Assert.Equal("clock", exception.ParamName);
        Assert.Contains(nameof(TimersOnlyClock), exception.Message, StringComparison.Ordinal);
        Assert.Contains("GetTimestamp", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void New_ClockOverridesTheWallClockOnly_IsAccepted() =>
        new TimerService(clock: new WallClockOnlyClock()).Dispose();

    [Fact]
    public void New_FlowIsSuppressed_Works()
    {
        Wait.ForThread(() =>
        {
            using var flow = ExecutionContext.SuppressFlow();
            using var service = new TimerService(clock: _clock);
            var fired = 0;
            service.Schedule(_ => fired++, null, s_second);

            _clock.Advance(s_second);

            Assert.Equal(1, fired);
        });
    }

    [Fact]
    public void Schedule_NoCallback_Throws() =>
        Assert.Throws<ArgumentNullException>(() => _service.Schedule(null!, null, s_second));

    [Fact]
    public void Schedule_PassesTheState()
    {
        object? seen = null;
        var state = new object();
        _service.Schedule(given => seen = given, state, s_second);

        _clock.Advance(s_second);

        Assert.Same(state, seen);
    }

    [Fact]
    public void Schedule_DoesNotCaptureTheExecutionContext()
    {
        var local = new AsyncLocal<string?> { Value = "scheduling" };
        var seen = "not called";
        _service.Schedule(_ => seen = local.Value, null, s_second);

        // The thread has none of this thread's context values.
        TestThread? thread;
        using (ExecutionContext.SuppressFlow())
        {
            thread = new TestThread(() => _clock.Advance(s_second));
            thread.Start();
        }

        Wait.ForEnd(thread);
        Assert.Null(seen);
    }

    [Fact]
    public void Schedule_Infinite_StaysPending()
    {
        _service.Schedule(static _ => Assert.Fail("Never due."), null, Timeout.InfiniteTimeSpan);

        _clock.Advance(TimeSpan.FromDays(365));

        Assert.Equal(
            (1L, 0L, 0L),
            (_service.GetSnapshot().Pending, _service.GetSnapshot().Fired, _service.GetSnapshot().DriverWakeUps));
    }

    [Fact]
    public async Task Delay_Zero_IsOverAtOnce()
    {
        Assert.True(_service.Delay(TimeSpan.Zero, TestContext.Current.CancellationToken).IsCompletedSuccessfully);
        Assert.True(await _service.TryDelay(TimeSpan.Zero, TestContext.Current.CancellationToken));
        Assert.True(
            _service.Delay(TimeSpan.FromTicks(-1), TestContext.Current.CancellationToken).IsCompletedSuccessfully);
    }

    [Fact]
    public void Delay_OneTimeSpanTick_WaitsForATick()
    {
        var delay = _service.Delay(TimeSpan.FromTicks(1), TestContext.Current.CancellationToken);
        Assert.False(delay.IsCompleted);

        _clock.Advance(TimeSpan.FromMilliseconds(10));

        Assert.True(delay.IsCompletedSuccessfully);
    }

    [Fact]
    public void Delay_TokenIsCancelledAlready_IsCancelledWithIt()
    {
        var cancelled = new CancellationToken(canceled: true);
        var delay = _service.Delay(s_second, cancelled);

        Assert.True(delay.IsCanceled);
        Assert.Equal(cancelled, Assert.ThrowsAny<OperationCanceledException>(() => delay.Read()).CancellationToken);
        Assert.False(_service.TryDelay(s_second, cancelled).Read());
        Assert.False(_service.TryDelay(TimeSpan.Zero, cancelled).Read());
        Assert.Equal(0, _service.GetSnapshot().Scheduled);
    }

    [Fact]
    public void Delay_Cancelled_ThrowsWhatTaskDelayThrows()
    {
        using var source = new CancellationTokenSource();
        var delay = _service.Delay(s_second, source.Token);
        source.Cancel();

        var exception = Assert.Throws<TaskCanceledException>(() => delay.Read());
        Assert.Equal(source.Token, exception.CancellationToken);
    }

    [Fact]
    public void Delay_Infinite_WaitsUntilCancelled()
    {
        using var source = new CancellationTokenSource();
        var delay = _service.TryDelay(Timeout.InfiniteTimeSpan, source.Token);
        _clock.Advance(TimeSpan.FromDays(365));
        Assert.False(delay.IsCompleted);

        source.Cancel();

        Assert.False(delay.Read());
    }

    [Fact]
    public void Stop_PendingDelays_EndInTheirWays()
    {
        var delay = _service.Delay(s_second, TestContext.Current.CancellationToken);
        var tryDelay = _service.TryDelay(s_second, TestContext.Current.CancellationToken);
        var infinite = _service.Delay(Timeout.InfiniteTimeSpan, TestContext.Current.CancellationToken);

        Assert.True(_service.StopAsync(TestContext.Current.CancellationToken).IsCompletedSuccessfully);

        Assert.Equal(
            CancellationToken.None, Assert.ThrowsAny<OperationCanceledException>(() => delay.Read()).CancellationToken);
        Assert.False(tryDelay.Read());
        Assert.ThrowsAny<OperationCanceledException>(() => infinite.Read());
        Assert.Equal(3, _service.GetSnapshot().Cancelled);
    }

    [Fact]
    public void Stop_DelaysBegunLater_EndAtOnce()
    {
        _ = _service.StopAsync(TestContext.Current.CancellationToken);

        Assert.ThrowsAny<OperationCanceledException>(
            () => _service.Delay(s_second, TestContext.Current.CancellationToken).Read());
        Assert.False(_service.TryDelay(s_second, TestContext.Current.CancellationToken).Read());
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public void Stop_DelaysOfZeroBegunLater_EndAsOthersDo()
    {
        // The documentation says that delays that begin later end at once. So a loop over Delay(Zero) must not outlive
        // the stop.
        _ = _service.StopAsync(TestContext.Current.CancellationToken);

        Assert.False(_service.TryDelay(TimeSpan.Zero, TestContext.Current.CancellationToken).Read());
        Assert.ThrowsAny<OperationCanceledException>(
            () => _service.Delay(TimeSpan.Zero, TestContext.Current.CancellationToken).Read());
    }

    [Fact]
    public void Stop_ThreadsThatComeLater_EndTheirDelaysToo()
    {
        using var service = Services.OnThePool(_clock);
        _ = service.StopAsync(TestContext.Current.CancellationToken);

        Wait.ForThread(() => Assert.False(service.TryDelay(s_second).Read()));
    }

    [Fact]
    public void Stop_EverythingElse_GoesOn()
    {
        var fired = 0;
        _service.Schedule(_ => fired++, null, s_second);
        using var timer = _service.TimeProvider.CreateTimer(_ => fired++, null, s_second, Timeout.InfiniteTimeSpan);
        var token = _service.GetTimeoutToken(s_second);

        _ = _service.StopAsync(TestContext.Current.CancellationToken);
        _service.Schedule(_ => fired++, null, s_second);
        _clock.Advance(s_second);

        Assert.Equal(3, fired);
        Assert.True(token.IsCancellationRequested);
    }

    [Fact]
    public void Stop_Twice_LogsOnce()
    {
        _ = _service.Delay(s_second, TestContext.Current.CancellationToken);
        _ = _service.StopAsync(TestContext.Current.CancellationToken);
        _ = _service.StopAsync(TestContext.Current.CancellationToken);

        var entry = Assert.Single(_logger.Entries, static entry => entry.Id == 10);
        Assert.Contains("1 pending", entry.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Stop_Disposed_IsHarmless()
    {
        _service.Dispose();

        Assert.True(_service.StopAsync(TestContext.Current.CancellationToken).IsCompletedSuccessfully);
        Assert.Throws<ObjectDisposedException>(
            () => { _ = _service.Delay(s_second, TestContext.Current.CancellationToken); });
    }

    [Fact]
    public void Dispose_EveryKindOfTimer_EndsInItsWay()
    {
        var fired = 0;
        var delay = _service.Delay(s_second, TestContext.Current.CancellationToken);
        _service.Schedule(static _ => Assert.Fail("Dropped."), null, s_second);
        using var timer = _service.TimeProvider.CreateTimer(_ => fired++, null, s_second, Timeout.InfiniteTimeSpan);

        _service.Dispose();
        _clock.Advance(s_hour);

        Assert.ThrowsAny<OperationCanceledException>(() => delay.Read());
        Assert.Equal(1, fired);
        var snapshot = _service.GetSnapshot();
        Assert.Equal((0L, 1L, 1L, 1L), (snapshot.Pending, snapshot.Dropped, snapshot.Cancelled, snapshot.HandedOver));
        Assert.Contains(
            "1 scheduled",
            Assert.Single(_logger.Entries, static entry => entry.Id == 11).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Disposed_EveryMember_DoesAsPromised()
    {
        _service.Dispose();
        _service.Dispose();

        Assert.Throws<ObjectDisposedException>(() => _service.Schedule(s_ignore, null, s_second));
        Assert.Throws<ObjectDisposedException>(
            () => { _ = _service.Delay(s_second, TestContext.Current.CancellationToken); });
        Assert.Throws<ObjectDisposedException>(
            () => { _ = _service.TryDelay(s_second, TestContext.Current.CancellationToken); });
        Assert.Throws<ObjectDisposedException>(
            () => { _ = _service.Delay(TimeSpan.Zero, TestContext.Current.CancellationToken); });
        Assert.Throws<ObjectDisposedException>(
            () => { _ = _service.TryDelay(TimeSpan.Zero, TestContext.Current.CancellationToken); });
        Assert.Equal(0, _service.GetSnapshot().Pending);
        Assert.True(_service.DisposeAsync().IsCompletedSuccessfully);
    }

    [Fact]
    public void Dispose_InsideACallback_DropsItsPeersAndReturns()
    {
        var fired = new List<int>();
        _service.Schedule(
            _ =>
            {
                fired.Add(1);
                _service.Dispose();
            },
            null,
            s_second);
        _service.Schedule(_ => fired.Add(2), null, s_second);

        _clock.Advance(s_hour);

        Assert.Equal([1], fired);
        Assert.Equal(1, _service.GetSnapshot().Dropped);
    }

    [Fact]
    public async Task DisposeAsync_CallbackRuns_WaitsForIt()
    {
        var service = Services.OnThePool(_clock);
        using var started = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        service.Schedule(
            _ =>
            {
                started.Set();
                Wait.For(release, "release");
            },
            null,
            s_second);
        _clock.Advance(s_second);
        Wait.For(started, "the callback started");

        var disposing = service.DisposeAsync().AsTask();
        Assert.False(disposing.IsCompleted);
        release.Set();

        await Wait.For(disposing, "DisposeAsync");
    }

    [Fact]
    public async Task DisposeAsync_InsideACallback_WaitsForTheOthersOnly()
    {
        var service = Services.OnThePool(_clock);
        using var otherStarted = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        var disposing = new TaskCompletionSource<Task>(TaskCreationOptions.RunContinuationsAsynchronously);
        service.Schedule(
            _ =>
            {
                otherStarted.Set();
                Wait.For(release, "release");
            },
            null,
            s_second);
        service.Schedule(
            _ =>
            {
                Wait.For(otherStarted, "the other callback started");
                var task = service.DisposeAsync().AsTask();
                disposing.SetResult(task);
                Wait.For(task, "DisposeAsync inside the callback").Wait();
            },
            null,
            s_second);
        _clock.Advance(s_second);

        var waiting = await Wait.For(disposing.Task, "the callback called DisposeAsync");
        Assert.False(waiting.IsCompleted);
        release.Set();

        await Wait.For(waiting, "DisposeAsync");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void DisposeAsync_InACallbackOfAnotherServiceInsideOneOfItsOwn_DoesNotWaitForItself(bool isNestedTwice)
    {
        using var other = new TimerService(clock: _clock);
        bool? isCompleted = null;
        void End(object? state) => isCompleted = _service.DisposeAsync().IsCompleted;
        void Nested(object? state)
        {
            if (!isNestedTwice)
            {
                End(null);
                return;
            }

            _service.Schedule(End, null, s_second);
            _clock.Advance(s_second);
        }

        _service.Schedule(
            _ =>
            {
                other.Schedule(Nested, null, s_second);
                _clock.Advance(s_second);
            },
            null,
            s_second);
        _clock.Advance(s_second);

        Assert.True(isCompleted);
    }

    [Fact]
    public void Snapshot_NewService_IsZero() => Assert.Equal(default, _service.GetSnapshot());

    [Fact]
    public void Metrics_OfAListener_AreTheSnapshots()
    {
        using var service = new TimerService(clock: _clock, meterFactory: new OneMeterFactory());
        service.Schedule(s_ignore, null, s_second);
        service.Schedule(s_ignore, null, s_hour);
        service.Schedule(s_ignore, null, s_hour).Cancel();
        using var registration = service.GetTimeoutToken(s_second)
            .Register(static () => throw new InvalidOperationException("Thrown by a registration."));
        _ = service.GetTimeoutToken(s_hour);
        _clock.Advance(s_second);

        var meter = ((Publication<TimerService>)Services.Field(service, "_metrics")!).Meter;
        var values = new Dictionary<string, double>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (ReferenceEquals(instrument.Meter, meter))
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => values[instrument.Name] = value);
        listener.SetMeasurementEventCallback<double>((instrument, value, _, _) => values[instrument.Name] = value);
        listener.Start();
        listener.RecordObservableInstruments();

        Assert.Equal(
            (1, 1), (values["scalable_timers.timeout_tokens"], values["scalable_timers.failed_registrations"]));
        Assert.Equal(
            (2, 5, 2, 1, 0),
            (
                values["scalable_timers.pending"],
                values["scalable_timers.scheduled"],
                values["scalable_timers.fired"],
                values["scalable_timers.cancelled"],
                values["scalable_timers.late"]));
        Assert.Equal(0, values["scalable_timers.skipped"]);
    }

    private sealed class OneMeterFactory : IMeterFactory
    {
        public Meter Create(MeterOptions options) => new(options);

        public void Dispose()
        {
        }
    }

    private sealed class TimersOnlyClock : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            new HandClock().CreateTimer(callback, state, dueTime, period);
    }

    private sealed class WallClockOnlyClock : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch;
    }
}
