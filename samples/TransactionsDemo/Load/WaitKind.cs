namespace TransactionsDemo.Load;

/// <summary>What was waited for.</summary>
internal enum WaitKind
{
    /// <summary>A delay in a grain.</summary>
    Grain,

    /// <summary>A delay on the static timers that Orleans' transactions wait with.</summary>
    Orleans,

    /// <summary>The response timeout of a call that is not answered.</summary>
    ResponseTimeout,
}
