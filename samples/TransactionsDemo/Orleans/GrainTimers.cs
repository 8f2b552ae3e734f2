using Orleans.Timers.Scalable;
using ScalableTimers;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>The timers of this project, for the grain that they are injected into.</summary>
internal sealed class GrainTimers(TimerTally tally, IGrainDelay delays, TimerService service) : DemoTimers(tally)
{
    private static readonly TimerCallback s_fire = static state => ((TimedOperation)state!).Fire();

    protected override ValueTask WaitAsync(TimeSpan dueTime) => delays.Delay(dueTime);

    protected override void StartTimer(TimedOperation operation, TimeSpan dueTime) =>
        operation.Scheduled = service.Schedule(s_fire, operation, dueTime);

    protected override void CancelTimer(TimedOperation operation) => operation.Scheduled.Cancel();
}
