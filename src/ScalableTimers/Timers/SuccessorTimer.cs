using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>
/// Drives one provider timer from the underlying clock after the service that drove it has been disposed.
/// </summary>
internal sealed class SuccessorTimer(ProviderTimer timer, TickClock clock, FiringDispatcher dispatcher)
    : ClockAlarm(clock)
{
    protected override long ReadDueAt() => timer.ReadDueAt();

    protected override void Ring()
    {
        var isDue = timer.TryTakeDue();
        try
        {
            Arm();
        }
        finally
        {
            // Fire even if the clock throws: nothing else knows of this firing.
            if (isDue)
            {
                dispatcher.FireSuccessor(new FiringItem(timer));
            }
        }
    }
}
