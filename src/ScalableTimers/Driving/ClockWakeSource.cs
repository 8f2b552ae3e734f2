using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes the driver with a single timer of the underlying clock.</summary>
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

    // See ThreadWakeSource: where .NET's waits do not count the time a machine is suspended, its timers do not either.
    // In virtual time that does not matter. Timers that outlive a service wait like any other .NET timer.
    private static TimeSpan? MaxWait(TimeProvider provider) =>
        ReferenceEquals(provider, TimeProvider.System)
            ? TimeSpan.FromMilliseconds(ThreadWakeSource.MaxMilliseconds)
            : null;
}
