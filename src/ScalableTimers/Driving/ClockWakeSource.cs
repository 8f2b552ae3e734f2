using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver by the one timer of the underlying clock.</summary>
internal sealed class ClockWakeSource(TimerDriver driver, TickClock clock)
    : ClockAlarm(clock, LongestWait(clock.Provider)), IWakeSource
{
    private readonly TickClock _clock = clock;

    void IWakeSource.Arm() => Arm();

    // A driver that is awake sets the alarm itself when it is done.
    protected override long ReadDueAt()
    {
        var tick = driver.NextWakeTick;
        return tick is < 0 or TimerWheel.Never ? TickClock.Never : _clock.TimestampAt(tick);
    }

    protected override void Ring() => driver.Serve();

    protected override void OnUnset() => driver.ArmAgain();

    // The timers of .NET do not count the time for which the machine is suspended where its waits do not, see
    // TickSleep. One look a minute costs a service nothing. In virtual time there is nothing to see, and the timers
    // that outlive a service, each with an alarm of its own, wait as all timers of .NET do.
    private static TimeSpan? LongestWait(TimeProvider provider) =>
        ReferenceEquals(provider, TimeProvider.System)
            ? TimeSpan.FromMilliseconds(TickSleep.LongestMilliseconds)
            : null;
}
