namespace TransactionsDemo.Timers;

/// <summary>The timers of .NET, as most programs use them.</summary>
internal sealed class SystemTimers(TimerTally tally) : DemoTimers(tally)
{
    private static readonly Action<object?> s_fire = static state => ((TimedOperation)state!).Fire();

    protected override ValueTask WaitAsync(TimeSpan dueTime) => new(Task.Delay(dueTime));

    protected override void StartTimer(TimedOperation operation, TimeSpan dueTime)
    {
        var source = new CancellationTokenSource();
        operation.Source = source;
        source.Token.UnsafeRegister(s_fire, operation);
        source.CancelAfter(dueTime);
    }

    protected override void CancelTimer(TimedOperation operation) => operation.Source!.Dispose();
}
