namespace Orleans.Timers.Scalable;

/// <summary>Sets how long each phase of a transaction may take in a silo. Read once, when the silo starts.</summary>
/// <remarks>
/// <para>
/// If a property is null, the phase stays as Orleans has it. A value that is set here wins over the same option of
/// Orleans.
/// </para>
/// <para>
/// Each property tells what it bounds, and what the bound does to the outcome. No bound reports a transaction as
/// aborted that may have committed. Where the outcome is unknown, the caller gets
/// <c>OrleansTransactionInDoubtException</c>.
/// </para>
/// <para>
/// <b>Accuracy.</b> Bounds that Orleans enforces are as exact as its own timers. Bounds that the plugin enforces are
/// never early.
/// </para>
/// </remarks>
public sealed class TransactionPhaseOptions
{
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

    /// <summary>Gets or sets how long the silo's transaction agent may take to start a transaction.</summary>
    /// <value>From 1 millisecond to 1 day. The default is null: no bound. Orleans' own agent never waits.</value>
    /// <remarks>
    /// After that the call fails with <c>OrleansStartTransactionFailedException</c>, and nothing has happened.
    /// </remarks>
    public TimeSpan? Start { get; set; }

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
    /// Gets or sets how long transactions may hold the lock of a state before they are told to commit.
    /// </summary>
    /// <value>From 1 millisecond to 1 day. The default is null: Orleans' <c>LockTimeout</c> of 8 seconds.</value>
    /// <remarks>
    /// The holders are aborted then, definitely. Orleans starts the time anew for each transaction that joins the
    /// holders, and waits as long for the participants of an aborted transaction. A value that is shorter than
    /// transactions take aborts sound ones. The log warns if the value is shorter than they may take.
    /// </remarks>
    public TimeSpan? LockHold { get; set; }

    /// <summary>Gets or sets how long a transaction's manager waits for all participants to prepare.</summary>
    /// <value>
    /// From 1 millisecond to 1 day, shorter than <see cref="Commit"/> and <see cref="Response"/>. The default is null:
    /// Orleans' <c>PrepareTimeout</c> of 20 seconds.
    /// </value>
    /// <remarks>Then the manager aborts the transaction, definitely.</remarks>
    public TimeSpan? Prepare { get; set; }

    /// <summary>Gets or sets how long the caller of a transaction waits for prepare and commit together.</summary>
    /// <value>
    /// From 1 millisecond to 1 day, longer than <see cref="Prepare"/> and shorter than <see cref="Response"/>. The
    /// default is null: the silo's response timeout of 30 seconds, after which Orleans reports the transaction as in
    /// doubt.
    /// </value>
    /// <remarks>
    /// This bound ends the caller's wait and stops nothing else. A transaction that has written is in doubt then, and
    /// has probably committed. Do not set it unless the caller can deal with that. Shorten <see cref="Prepare"/>
    /// instead, which aborts.
    /// </remarks>
    public TimeSpan? Commit { get; set; }

    /// <summary>Gets or sets how long a participant may take to confirm before it answers that it could not.</summary>
    /// <value>
    /// From 1 millisecond to 1 day, shorter than <see cref="Response"/>. The default is null: the silo's response
    /// timeout of 30 seconds.
    /// </value>
    /// <remarks>
    /// The manager repeats the confirmation after <see cref="ConfirmRetry"/>. The outcome does not change, because the
    /// transaction has committed.
    /// </remarks>
    public TimeSpan? Confirm { get; set; }

    /// <summary>Gets or sets how long a manager waits before it repeats a confirmation that failed.</summary>
    /// <value>
    /// From 1 millisecond to 1 day. The default is null: Orleans' <c>ConfirmationRetryDelay</c>. Its default is 30
    /// seconds, and 10 seconds in a silo with <c>AddScalableTimers</c>, because Orleans ends its 30 seconds after 8 to
    /// 20.
    /// </value>
    public TimeSpan? ConfirmRetry { get; set; }

    /// <summary>Gets or sets how often a participant that has prepared asks a silent manager for the outcome.</summary>
    /// <value>
    /// From 1 millisecond to 1 day. The default is null: Orleans' <c>RemoteTransactionPingFrequency</c> of 60 seconds.
    /// </value>
    /// <remarks>
    /// Until the participant knows the outcome, its state cannot commit anything else. So this value decides how fast
    /// states recover from a lost silo.
    /// </remarks>
    public TimeSpan? Ping { get; set; }

    /// <summary>
    /// Gets or sets how long the caller of an aborted transaction waits until the participants know of the abort.
    /// </summary>
    /// <value>
    /// From 1 millisecond to 1 day, shorter than <see cref="Response"/>. The default is null: the silo's response
    /// timeout of 30 seconds.
    /// </value>
    /// <remarks>
    /// The transaction is aborted all the same. A participant that does not know of it keeps its lock for
    /// <see cref="LockHold"/>.
    /// </remarks>
    public TimeSpan? Abort { get; set; }

    /// <summary>
    /// Gets or sets how long this silo waits for the answer to any call, also to those of transactions.
    /// </summary>
    /// <value>
    /// From 1 millisecond to 1 day, longer than <see cref="Prepare"/>. The default is null: the silo's response
    /// timeout, by default 30 seconds.
    /// </value>
    /// <remarks>
    /// It applies to <b>every</b> call that this silo makes, unless the method has a <c>[ResponseTimeout]</c>.
    /// </remarks>
    public TimeSpan? Response { get; set; }

    /// <summary>
    /// Sets bounds with which transactions recover from a lost silo in about two seconds, instead of more than forty.
    /// </summary>
    /// <remarks>
    /// Lock hold 1 s, lock acquisition 1.5 s, prepare 2 s, ping 2 s, confirm retry 1 s, response 5 s. The price:
    /// transactions that hold a lock for longer than a second abort, and every call of the silo times out after five
    /// seconds. A slow store, a long garbage collection or a starved thread pool aborts transactions that would have
    /// committed later. Use it where transactions take milliseconds. Properties may be set again afterwards.
    /// </remarks>
    public void UseFastRecovery()
    {
        LockHold = TimeSpan.FromSeconds(1);
        LockAcquisition = TimeSpan.FromSeconds(1.5);
        Prepare = TimeSpan.FromSeconds(2);
        Ping = TimeSpan.FromSeconds(2);
        ConfirmRetry = TimeSpan.FromSeconds(1);
        Response = TimeSpan.FromSeconds(5);
    }

    /// <summary>
    /// Returns what is wrong with single values: a sentence for each error, with the property, the value and the range.
    /// </summary>
    internal IEnumerable<string> Errors() =>
        from bound in Bounds()
        where bound.Value is { } value
            && (value < TransactionPhaseRules.Shortest || value > TransactionPhaseRules.Longest)
        select
            $"{nameof(TransactionPhaseOptions)}.{bound.Name} is {bound.Value}; it must be between "
                + $"{TransactionPhaseRules.Shortest} and {TransactionPhaseRules.Longest}, or null.";

    private IEnumerable<(string Name, TimeSpan? Value)> Bounds() =>
    [
        (nameof(Deadline), Deadline),
        (nameof(Start), Start),
        (nameof(LockAcquisition), LockAcquisition),
        (nameof(LockHold), LockHold),
        (nameof(Prepare), Prepare),
        (nameof(Commit), Commit),
        (nameof(Confirm), Confirm),
        (nameof(ConfirmRetry), ConfirmRetry),
        (nameof(Ping), Ping),
        (nameof(Abort), Abort),
        (nameof(Response), Response),
    ];
}
