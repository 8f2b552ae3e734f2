using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver by the one timer of the underlying clock.</summary>
internal sealed class ClockWakeSource(TimerDriver driver, TickClock clock)
    : ClockAlarm(clock, MaxWait(clock.Provider)), IWakeSource
{
    private readonly TickClock _clock = clock;

    void IWakeSource.Start()
    {
    }

    void IWakeSource.Arm() => Arm();

    // A driver that is awake sets the alarm itself when its pass is done.
    protected override long ReadDueAt()
    {
        var tick = driver.NextWakeTick;
        return tick == TimerWheel.Never ? TickClock.Never : _clock.TimestampAt(tick);
    }

    protected override void Ring() => driver.Serve();

    // See ThreadWakeSource: .NET's timers do not count the time for which a machine is suspended where its waits do
    // not. In virtual time that does not matter. The timers that outlive a service wait as all timers of .NET do.
    private static TimeSpan? MaxWait(TimeProvider provider) =>
        ReferenceEquals(provider, TimeProvider.System)
            ? TimeSpan.FromMilliseconds(ThreadWakeSource.MaxMilliseconds)
            : null;
}
