namespace TransactionsDemo.Timers;

/// <summary>The kind of timers that a bank uses.</summary>
internal enum TimerKind
{
    /// <summary>.NET's: <c>Task.Delay</c> and <c>CancellationTokenSource.CancelAfter</c>.</summary>
    System,

    /// <summary>One list behind one lock, as .NET Framework has them.</summary>
    OneLock,

    /// <summary>Orleans' own timers: <c>ITimerManager</c>.</summary>
    Stock,

    /// <summary>Those of this project.</summary>
    Scalable,
}
