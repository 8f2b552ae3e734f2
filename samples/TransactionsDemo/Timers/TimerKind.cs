namespace TransactionsDemo.Timers;

/// <summary>Whose timers a bank runs on.</summary>
internal enum TimerKind
{
    /// <summary>.NET's: <c>Task.Delay</c> and <c>CancellationTokenSource.CancelAfter</c>.</summary>
    System,

    /// <summary>Those that Orleans brings: <c>ITimerManager</c>.</summary>
    Stock,

    /// <summary>Those of this project.</summary>
    Scalable,
}
