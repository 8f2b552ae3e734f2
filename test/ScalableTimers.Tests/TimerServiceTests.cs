using System.Diagnostics.Metrics;
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
    public void New_StartsNothingBeforeTheFirstTimer()
    {
        Assert.Equal(0, _clock.ArmedTimers);
        using var service = Services.WithSystemClock();

        Assert.Null(Services.DriverThread(service));
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
    public void Stop_PendingDelays_EndInTheirWays()
    {
        var delay = _service.Delay(s_second, TestContext.Current.CancellationToken);
        var tryDelay = _service.TryDelay(s_second, TestContext.Current.CancellationToken);
        var infinite = _service.Delay(Timeout.InfiniteTimeSpan, TestContext.Current.CancellationToken);

        Assert.True(_service.StopAsync().IsCompletedSuccessfully);

        Assert.Equal(
            CancellationToken.None, Assert.ThrowsAny<OperationCanceledException>(() => delay.Read()).CancellationToken);
        Assert.False(tryDelay.Read());
        Assert.ThrowsAny<OperationCanceledException>(() => infinite.Read());
        Assert.Equal(3, _service.GetSnapshot().Cancelled);
    }

    // A loop over delays of zero must not outlive the stop either.
    [Theory]
    [InlineData(0)]
    [InlineData(1_000)]
    public void Stop_DelaysBegunLaterOnAnyThread_EndAtOnce(int milliseconds)
    {
        var dueTime = TimeSpan.FromMilliseconds(milliseconds);
        using var service = Services.OnThePool(_clock);
        _ = service.StopAsync();

        Assert.ThrowsAny<OperationCanceledException>(() => service.Delay(dueTime).Read());
        Assert.False(service.TryDelay(dueTime).Read());
        Wait.ForThread(() => Assert.False(service.TryDelay(dueTime).Read()));
        Assert.Equal(0, service.GetSnapshot().Pending);
    }

    [Fact]
    public void Stop_Twice_LogsOnce()
    {
        _ = _service.Delay(s_second, TestContext.Current.CancellationToken);
        _ = _service.StopAsync();
        _ = _service.StopAsync();

        var entry = Assert.Single(_logger.Entries, static entry => entry.Id == 10);
        Assert.Contains("1 pending", entry.Message, StringComparison.Ordinal);
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
        Assert.Equal((0L, 1L, 1L, 1L), (snapshot.Pending, snapshot.Dropped, snapshot.Cancelled, snapshot.Fired));
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
        Assert.True(_service.StopAsync().IsCompletedSuccessfully);
        Assert.True(_service.DisposeAsync().IsCompletedSuccessfully);
    }

    // Seen to fail with a figure that leaves out what was cancelled.
    [Fact]
    public void GetSnapshot_AtAnyMoment_AddsUp()
    {
        TimerServiceSnapshot within = default;
        _service.Schedule(_ => within = _service.GetSnapshot(), null, s_second);
        _service.Schedule(s_ignore, null, s_hour);
        _service.Schedule(s_ignore, null, s_second).Cancel();

        _clock.Advance(s_second);

        Assert.Equal((3L, 1L, 1L, 1L), (within.Scheduled, within.Pending, within.InFlight, within.Cancelled));
        var after = _service.GetSnapshot();
        Assert.Equal((0L, 1L), (after.InFlight, after.Fired));
    }

    [Fact]
    public void Metrics_OfAListener_AreTheSnapshots()
    {
        using var factory = new OneMeterFactory();
        using var service = new TimerService(clock: _clock, logger: _logger, meterFactory: factory);
        service.Schedule(s_ignore, null, s_second);
        service.Schedule(s_ignore, null, s_hour);
        service.Schedule(s_ignore, null, s_hour).Cancel();
        using var registration = service.GetTimeoutToken(s_second)
            .Register(static () => throw new InvalidOperationException("Thrown by a registration."));
        _ = service.GetTimeoutToken(s_hour);
        _clock.Advance(s_second);

        var values = new Dictionary<string, double>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (ReferenceEquals(instrument.Meter, factory.Meter))
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
        internal Meter? Meter { get; private set; }

        public Meter Create(MeterOptions options) => Meter = new Meter(options);

        public void Dispose() => Meter?.Dispose();
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
