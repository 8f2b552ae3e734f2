namespace TransactionsDemo.Embedded;

/// <summary>How long things may take in the embedded bank.</summary>
internal static class Limits
{
    /// <summary>A transfer, with all its attempts. Afterwards it is not tried again.</summary>
    public static readonly TimeSpan Transfer = TimeSpan.FromSeconds(5);

    /// <summary>A phase of an attempt, with all the calls it makes.</summary>
    public static readonly TimeSpan Phase = TimeSpan.FromMilliseconds(600);

    /// <summary>
    /// A call, until its answer is there. Longer than <see cref="LockWait"/>, since a call for a lock waits for that.
    /// </summary>
    public static readonly TimeSpan Call = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Waiting for a locked account. This limit ends a deadlock of two transfers.
    /// </summary>
    public static readonly TimeSpan LockWait = TimeSpan.FromMilliseconds(50);

    /// <summary>Holding the lock of an account without preparing. Afterwards the account takes the lock back.</summary>
    public static readonly TimeSpan LockHold = TimeSpan.FromSeconds(1);

    /// <summary>Being prepared without a decision. Afterwards the account asks for the decision.</summary>
    public static readonly TimeSpan Decision = TimeSpan.FromSeconds(1);
}
