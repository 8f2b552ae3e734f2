namespace Orleans.Timers.Scalable;

/// <summary>
/// Bounds phases of a silo's transactions that Orleans' own options do not bound. Read once, when the silo starts.
/// </summary>
/// <remarks>
/// <para>
/// The section <c>ScalableTimers:TransactionPhases</c> of the configuration can set these properties too, and wins over
/// code.
/// </para>
/// <para>
/// If a property is null, that phase stays as in Orleans. Each property says what it bounds and how the bound affects
/// the outcome. No bound reports a transaction as aborted if it may have committed.
/// </para>
/// <para><b>Accuracy.</b> Never early.</para>
/// </remarks>
public sealed class TransactionPhaseOptions
{
    internal static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);
    internal static readonly TimeSpan Longest = TimeSpan.FromDays(1);
    internal static readonly TimeSpan FastLockTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Gets or sets how old a transaction that starts in this silo may be when it is to commit.</summary>
    /// <value>
    /// From 1 millisecond to 1 day. The default is null: no deadline. Orleans passes 10 seconds along, but only keeps
    /// locks for at least that time, or for at least the deadline if it is shorter.
    /// </value>
    /// <remarks>
    /// The deadline is checked once, before anything is prepared. A transaction that is too old is definitely aborted,
    /// and the caller gets <c>OrleansTransactionTransientFailureException</c> with a <see cref="TimeoutException"/>
    /// inside. No running call is interrupted.
    /// </remarks>
    public TimeSpan? Deadline { get; set; }

    /// <summary>Gets or sets how long a transaction may wait for a state's lock.</summary>
    /// <value>
    /// From 1 millisecond to 1 day. The default is null: Orleans' <c>LockAcquireTimeout</c> of 10 seconds, which it
    /// checks only when the wait is over.
    /// </value>
    /// <remarks>
    /// This property sets that option, and also ends the wait itself. The read or update fails with
    /// <c>OrleansTransactionTransientFailureException</c>, its function no longer runs, and the transaction aborts
    /// unless the method catches the exception. If the method tries the same state again, the transaction aborts
    /// anyway, because the new attempt queues behind the place that was given up.
    /// </remarks>
    public TimeSpan? LockAcquisition { get; set; }

    /// <summary>
    /// Gets or sets whether options of Orleans are set so that transactions recover from a lost silo in a few seconds,
    /// instead of up to a minute.
    /// </summary>
    /// <value>The default is false.</value>
    /// <remarks>
    /// <c>LockTimeout</c> 2 s (which Orleans alone extends to 10 s), <c>PrepareTimeout</c> 2 s,
    /// <c>RemoteTransactionPingFrequency</c> 2 s, <c>ConfirmationRetryDelay</c> 1 s, and <see cref="LockAcquisition"/>
    /// 1.5 s unless it is set. They override the configuration. The price: transactions that hold a lock for longer
    /// than two seconds abort. A slow store, a long garbage collection or a starved thread pool aborts transactions
    /// that would have committed later. Use it if transactions take milliseconds. Transactions that a client begins
    /// itself keep their locks for ten seconds. The response timeout stays.
    /// <para>
    /// <b>Set it only when every silo of the cluster calls <c>ConfigureTransactionPhases</c>.</b> Orleans alone may
    /// half commit a transaction whose participants ask that early: docs/transactions.md says how.
    /// </para>
    /// </remarks>
    public bool UseFastRecovery { get; set; }

    internal TimeSpan? LockLimit => LockAcquisition ?? (UseFastRecovery ? TimeSpan.FromSeconds(1.5) : null);

    /// <summary>How long Orleans should keep a transaction's locks at least: never longer than it would.</summary>
    /// <param name="timeout">How long it would.</param>
    internal TimeSpan LockTime(TimeSpan timeout)
    {
        timeout = UseFastRecovery && FastLockTimeout < timeout ? FastLockTimeout : timeout;
        return Deadline < timeout ? Deadline.Value : timeout;
    }

    /// <summary>Returns one sentence for each invalid value, with the property, the value and the range.</summary>
    internal IEnumerable<string> Errors() =>
        from bound in new[]
        {
            (Name: nameof(Deadline), Value: Deadline),
            (Name: nameof(LockAcquisition), Value: LockAcquisition),
        }
        where bound.Value is { } value && (value < Shortest || value > Longest)
        select
            $"{nameof(TransactionPhaseOptions)}.{bound.Name} is {bound.Value}; it must be between {Shortest} and "
                + $"{Longest}, or null.";
}
