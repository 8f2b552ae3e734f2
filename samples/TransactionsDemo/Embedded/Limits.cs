namespace TransactionsDemo.Embedded;

/// <summary>How long things may take in the embedded bank.</summary>
internal static class Limits
{
    /// <summary>A transfer, with all its attempts. Later it is not tried again.</summary>
    public static readonly TimeSpan Transfer = TimeSpan.FromSeconds(5);

    /// <summary>A phase of an attempt, with all the calls it makes.</summary>
    public static readonly TimeSpan Phase = TimeSpan.FromMilliseconds(600);

    /// <summary>
    /// A call, until its answer is there. Longer than <see cref="LockWait"/>, since a call for a lock waits for that.
    /// </summary>
    public static readonly TimeSpan Call = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Waiting for an account that is locked. Two transfers that wait for each other come apart by it.
    /// </summary>
    public static readonly TimeSpan LockWait = TimeSpan.FromMilliseconds(50);

    /// <summary>Holding the lock of an account without having prepared. Later the account takes it back.</summary>
    public static readonly TimeSpan LockHold = TimeSpan.FromSeconds(1);

    /// <summary>Being prepared without having heard of a decision. Later the account asks for it.</summary>
    public static readonly TimeSpan Decision = TimeSpan.FromSeconds(1);
}
