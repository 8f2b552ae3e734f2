using ScalableTimers.Compare.Workloads.Partitioned;

namespace TransactionsDemo.Timers;

/// <summary>Timers in one list behind one lock, as those of .NET Framework are.</summary>
internal sealed class OneLockTimers(TimerTally tally, GlobalLockQueue queue) : DemoTimers(tally)
{
    private static readonly TimerCallback s_fire = static state => ((TimedOperation)state!).Fire();
    private static readonly TimerCallback s_end = static state => ((TaskCompletionSource)state!).SetResult();

    protected override ValueTask WaitAsync(TimeSpan dueTime)
    {
        var source = new TaskCompletionSource();
        queue.Start(s_end, source, dueTime);
        return new ValueTask(source.Task);
    }

    protected override void StartTimer(TimedOperation operation, TimeSpan dueTime) =>
        operation.Handle = queue.StartWithHandle(s_fire, operation, dueTime);

    protected override void CancelTimer(TimedOperation operation) => operation.Handle!.Dispose();
}
