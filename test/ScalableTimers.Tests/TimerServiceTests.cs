using System.Diagnostics.Metrics;
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
    public void Schedule_NoCallback_Throws() =>
        Assert.Throws<ArgumentNullException>(() => Service.Schedule(null!, null, s_second));

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
    public void Delay_Cancelled_ThrowsTaskCanceledWithItsToken()
    {
        using var source = new CancellationTokenSource();
        var delay = Service.Delay(s_second, source.Token);
        source.Cancel();

        var exception = Assert.Throws<TaskCanceledException>(() => delay.Read());
        Assert.Equal(source.Token, exception.CancellationToken);
    }

    [Fact]
    public void Stop_PendingDelays_ThrowOrReturnFalse()
    {
        var delay = Service.Delay(s_second, TestContext.Current.CancellationToken);
        var tryDelay = Service.TryDelay(s_second, TestContext.Current.CancellationToken);
        var infinite = Service.Delay(Timeout.InfiniteTimeSpan, TestContext.Current.CancellationToken);

        Assert.True(Service.StopAsync().IsCompletedSuccessfully);

        Assert.Equal(
            CancellationToken.None, Assert.ThrowsAny<OperationCanceledException>(() => delay.Read()).CancellationToken);
        Assert.False(tryDelay.Read());
        Assert.ThrowsAny<OperationCanceledException>(() => infinite.Read());
        Assert.Equal(3, Service.GetSnapshot().Cancelled);
    }

    // Seen to fail when such delays ended at once: a loop that catches every exception was then a hot one. A loop over
    // Task.Delay goes on as before.
    [Theory]
    [InlineData(1, 1)]
    [InlineData(100, 100)]
    [InlineData(5_000, 1_000)]
    [InlineData(-1, 1_000)]
    public void Stop_DelaysBegunLaterOnAnyThread_TakeTheirTimeAndAtMostASecond(int milliseconds, int waits)
    {
        var dueTime = TimeSpan.FromMilliseconds(milliseconds);
        _ = Service.StopAsync();

        var delay = Service.Delay(dueTime);
        var reports = Service.TryDelay(dueTime);
        ValueTask<bool> elsewhere = default;
        Wait.ForThread(() => elsewhere = Service.TryDelay(dueTime));
        _ = Service.StopAsync();
        Clock.Advance(TimeSpan.FromMilliseconds(waits) - TimeSpan.FromTicks(1));

        Assert.Equal((false, false), (delay.IsCompleted, elsewhere.IsCompleted));
        Clock.Advance(TimeSpan.FromMilliseconds(10));
        Assert.ThrowsAny<OperationCanceledException>(() => delay.Read());
        Assert.Equal((false, false), (reports.Read(), elsewhere.Read()));
        Assert.Equal(0, Service.GetSnapshot().Pending);
    }

    [Fact]
    public void Dispose_TimerThatOutlivesIt_IsCountedWhenItsCallbackRuns()
    {
        var counted = new List<(long Fired, long InFlight)>();
        void Count() => counted.Add((Service.GetSnapshot().Fired, Service.GetSnapshot().InFlight));
        using var timer = Service.TimeProvider.CreateTimer(_ => Count(), null, s_second, s_second);
        using var registration = Service.GetTimeoutToken(3 * s_second).Register(Count);

        Service.Dispose();
        Clock.Advance(s_second);
        Clock.Advance(s_second);
        timer.Dispose();
        Clock.Advance(s_hour);

        Assert.Equal([(0, 1), (1, 1), (2, 1)], counted);
    }

    // Seen to fail with a figure that leaves out what was cancelled.
    [Fact]
    public void GetSnapshot_AtAnyMoment_AddsUp()
    {
        TimerServiceSnapshot within = default;
        Service.Schedule(_ => within = Service.GetSnapshot(), null, s_second);
        Service.Schedule(s_ignore, null, s_hour);
        Service.Schedule(s_ignore, null, s_second).Cancel();

        Clock.Advance(s_second);

        Assert.Equal((3L, 1L, 1L, 1L), (within.Scheduled, within.Pending, within.InFlight, within.Cancelled));
        var after = Service.GetSnapshot();
        Assert.Equal((0L, 1L), (after.InFlight, after.Fired));
    }

    [Fact]
    public void Metrics_OfAListener_MatchTheSnapshot()
    {
        using var factory = new OneMeterFactory();
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
