using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver by the one timer of the underlying clock.</summary>
internal sealed class ClockWakeSource(TimerDriver driver, TickClock clock) : ClockAlarm(clock), IWakeSource
{
    private readonly TickClock _clock = clock;

    void IWakeSource.Arm() => Arm();

    // A driver that is awake sets the alarm itself when it is done.
    protected override long ReadDueAt()
    {
        var tick = driver.NextWakeTick;
        return tick is < 0 or TimerWheel.Never ? TickClock.Never : _clock.UnitsAt(tick);
    }

    protected override void Ring() => driver.Serve();
}
