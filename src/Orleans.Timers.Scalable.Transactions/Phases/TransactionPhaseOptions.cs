namespace Orleans.Timers.Scalable;

/// <summary>
/// Sets how long the phases of a transaction may take in a silo that Orleans' own options do not bound. Read once, when
/// the silo starts.
/// </summary>
/// <remarks>
/// <para>
/// If a property is null, the phase stays as Orleans has it. Each property tells what it bounds, and what the bound
/// does to the outcome. No bound reports a transaction as aborted that may have committed.
/// </para>
/// <para><b>Accuracy.</b> Never early.</para>
/// </remarks>
public sealed class TransactionPhaseOptions
{
    internal static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);
    internal static readonly TimeSpan Longest = TimeSpan.FromDays(1);

    /// <summary>
    /// Gets or sets how old a transaction that starts in this silo may be when it is to be committed.
    /// </summary>
    /// <value>
    /// From 1 millisecond to 1 day. The default is null: no deadline. Orleans passes 10 seconds along and never reads
    /// them.
    /// </value>
    /// <remarks>
    /// The deadline is checked once, before anything is prepared. A transaction that is too old is aborted then,
    /// definitely, and the caller gets <c>OrleansTransactionTransientFailureException</c> with a
    /// <see cref="TimeoutException"/> inside. It interrupts no running call.
    /// <see cref="TransactionWithDeadlineAttribute"/> sets a deadline for a method, which replaces this one.
    /// </remarks>
    public TimeSpan? Deadline { get; set; }

    /// <summary>Gets or sets how long a transaction may wait for the lock of a state.</summary>
    /// <value>
    /// From 1 millisecond to 1 day. The default is null: Orleans' <c>LockAcquireTimeout</c> of 10 seconds, which it
    /// checks only when the wait is over.
    /// </value>
    /// <remarks>
    /// This property sets that option, and it also ends the wait itself. The read or update fails with
    /// <c>OrleansTransactionTransientFailureException</c>, its function does not run any more, and the transaction
    /// aborts unless the method catches the exception. If the method tries the same state again, the transaction aborts
    /// all the same, because the new attempt queues behind the place that was given up.
    /// </remarks>
    public TimeSpan? LockAcquisition { get; set; }

    /// <summary>
    /// Gets or sets how long the caller of an aborted transaction waits until the participants know of the abort.
    /// </summary>
    /// <value>
    /// From 1 millisecond to 1 day, shorter than the silo's response timeout. The default is null: that response
    /// timeout of 30 seconds.
    /// </value>
    /// <remarks>
    /// The transaction is aborted all the same. A participant that does not know of it keeps its lock for Orleans'
    /// <c>LockTimeout</c>.
    /// </remarks>
    public TimeSpan? Abort { get; set; }

    internal bool RecoversFast { get; private set; }

    /// <summary>
    /// Sets options of Orleans with which transactions recover from a lost silo in about two seconds, instead of more
    /// than forty.
    /// </summary>
    /// <remarks>
    /// <c>LockTimeout</c> 1 s, <c>PrepareTimeout</c> 2 s, <c>RemoteTransactionPingFrequency</c> 2 s,
    /// <c>ConfirmationRetryDelay</c> 1 s, the silo's response timeout 5 s, and <see cref="LockAcquisition"/> 1.5 s,
    /// which may be set again afterwards. They win over what is configured. The price: transactions that hold a lock
    /// for longer than a second abort, and every call of the silo times out after five seconds. A slow store, a long
    /// garbage collection or a starved thread pool aborts transactions that would have committed later. Use it where
    /// transactions take milliseconds.
    /// </remarks>
    public void UseFastRecovery()
    {
        RecoversFast = true;
        LockAcquisition = TimeSpan.FromSeconds(1.5);
    }

    /// <summary>
    /// Returns what is wrong with single values: a sentence for each error, with the property, the value and the range.
    /// </summary>
    internal IEnumerable<string> Errors() =>
        from bound in Bounds()
        where bound.Value is { } value && (value < Shortest || value > Longest)
        select
            $"{nameof(TransactionPhaseOptions)}.{bound.Name} is {bound.Value}; it must be between {Shortest} and "
                + $"{Longest}, or null.";

    private IEnumerable<(string Name, TimeSpan? Value)> Bounds() =>
    [
        (nameof(Deadline), Deadline),
        (nameof(LockAcquisition), LockAcquisition),
        (nameof(Abort), Abort),
    ];
}
