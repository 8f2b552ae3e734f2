using Orleans.Timers.Internal;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>The timers that Orleans brings.</summary>
internal sealed class StockTimers(TimerTally tally, ITimerManager manager) : DemoTimers(tally)
{
    protected override ValueTask WaitAsync(TimeSpan dueTime) => new(manager.Delay(dueTime));

    protected override void StartTimer(TimedOperation operation, TimeSpan dueTime)
    {
        operation.Source = new CancellationTokenSource();
        _ = FireAsync(operation, manager.Delay(dueTime, operation.Source.Token));
    }

    protected override void CancelTimer(TimedOperation operation) => operation.Source!.Cancel();

    private static async Task FireAsync(TimedOperation operation, Task<bool> delay)
    {
        if (await delay.ConfigureAwait(false))
        {
            operation.Fire();

            // A timer that has fired early is still in the list, and would stay there until it is due.
            await operation.Source!.CancelAsync().ConfigureAwait(false);
        }
    }
}
