using ScalableTimers.Tests.Clock;
using ScalableTimers.Tests.Metrics;

namespace ScalableTimers.Tests;

public sealed class TimerServiceTests() : InVirtualTime(logs: true)
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    [Fact]
    public void New_StartsNothingBeforeTheFirstTimer()
    {
        Assert.Equal(0, Clock.ArmedTimers);
        using var service = Services.WithSystemClock();

        Assert.Null(Services.DriverThread(service));
    }

    [Fact]
    public void New_ClockHasTimersButNoTimestamps_IsRefusedAndNamed()
    {
        var exception = Assert.Throws<ArgumentException>(() => new TimerService(new(), clock: new TimersOnlyClock()));

        Assert.Equal("clock", exception.ParamName);
        Assert.Contains(nameof(TimersOnlyClock), exception.Message, StringComparison.Ordinal);
        Assert.Contains("GetTimestamp", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void New_ClockOverridesTheWallClockOnly_IsAccepted() =>
        new TimerService(new(), clock: new WallClockOnlyClock()).Dispose();

    [Fact]
    public void New_FlowIsSuppressed_Works()
    {
        Wait.ForThread(() =>
        {
            using var flow = ExecutionContext.SuppressFlow();
            using var service = new TimerService(new(), clock: Clock);
            var fired = 0;
            service.Schedule(_ => fired++, null, s_second);

            Clock.Advance(s_second);

            Assert.Equal(1, fired);
        });
    }

    [Fact]
    public void Delay_TokenIsCancelledAlready_IsCancelledWithIt()
    {
        var cancelled = new CancellationToken(canceled: true);
        var delay = Service.Delay(s_second, cancelled);

        Assert.True(delay.IsCanceled);
        Assert.Equal(cancelled, Assert.ThrowsAny<OperationCanceledException>(() => delay.Read()).CancellationToken);
        Assert.False(Service.TryDelay(s_second, cancelled).Read());
        Assert.False(Service.TryDelay(TimeSpan.Zero, cancelled).Read());
        Assert.Equal(0, Service.GetSnapshot().Scheduled);
    }

    [Fact]
    public void Metrics_OfAListener_MatchTheSnapshot()
    {
        using var factory = new OwnMeter();
        using var service = new TimerService(Services.LogsExceptions, Logger, Clock, factory);
        service.Schedule(s_ignore, null, s_second);
        service.Schedule(s_ignore, null, s_hour);
        service.Schedule(s_ignore, null, s_hour).Cancel();
        using var registration = service.GetTimeoutToken(s_second)
            .Register(static () => throw new InvalidOperationException("Thrown by a registration."));
        _ = service.GetTimeoutToken(s_hour);
        Clock.Advance(s_second);

        using var listener = new RecordingListener(
            instrument => ReferenceEquals(instrument.Meter, factory.Meter) && instrument.IsObservable);
        listener.Observe();
        var values = listener.Measurements.ToDictionary(static one => one.Instrument, static one => one.Value);

        Assert.Equal((1, 1), (values["scalable_timers.timeout_tokens"], values["scalable_timers.failed"]));
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
