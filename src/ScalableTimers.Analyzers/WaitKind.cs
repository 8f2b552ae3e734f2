namespace ScalableTimers.Analyzers;

/// <summary>What of .NET's an operation waits with.</summary>
internal enum WaitKind
{
    None,

    /// <summary><c>Task.Delay</c>.</summary>
    Delay,

    /// <summary><c>Thread.Sleep</c>.</summary>
    Sleep,

    /// <summary><c>new PeriodicTimer</c>.</summary>
    PeriodicTimer,

    /// <summary><c>new Timer</c>, of either namespace.</summary>
    Timer,

    /// <summary><c>new CancellationTokenSource(timeout)</c>.</summary>
    TimeoutSource,

    /// <summary><c>source.CancelAfter</c>.</summary>
    CancelAfter,

    /// <summary><c>task.WaitAsync(timeout)</c>.</summary>
    WaitAsync,
}
