using ScalableTimers;

namespace TransactionsDemo.Timers;

/// <summary>The timers of a <see cref="TimerService"/>.</summary>
internal sealed class ServiceTimers(TimerTally tally, TimerService service) : DemoTimers(tally)
{
    private static readonly TimerCallback s_fire = static state => ((TimedOperation)state!).Fire();

    protected override ValueTask WaitAsync(TimeSpan dueTime) => service.Delay(dueTime);

    protected override void StartTimer(TimedOperation operation, TimeSpan dueTime) =>
        operation.Scheduled = service.Schedule(s_fire, operation, dueTime);

    protected override void CancelTimer(TimedOperation operation) => operation.Scheduled.Cancel();
}
