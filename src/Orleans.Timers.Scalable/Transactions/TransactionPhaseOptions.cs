namespace Orleans.Timers.Scalable;

/// <summary>How long each phase of a transaction may take in a silo. Read once, when the silo starts.</summary>
/// <remarks>
/// <para>A property that is null leaves that phase as Orleans has it. A set one wins over the same option set elsewhere.</para>
/// <para>
/// What is bounded where, and what a bound does to the outcome, is told for each property. No bound calls a transaction aborted
/// that may have committed: where that cannot be known, the caller gets <c>OrleansTransactionInDoubtException</c>.
/// </para>
/// <para><b>Accuracy.</b> Bounds that Orleans keeps are as exact as its own timers; those of the plugin are never early.</para>
/// </remarks>
public sealed class TransactionPhaseOptions
{
    /// <summary>Gets or sets how old a transaction that starts in this silo may be when it is to be committed.</summary>
    /// <value>From 1 millisecond to 1 day. The default is null: no deadline. Orleans passes 10 seconds along and never looks at them.</value>
    /// <remarks>
    /// It is looked at once, before anything is prepared; a transaction that is too old is aborted then, definitely, and the caller
    /// gets <c>OrleansTransactionTransientFailureException</c> with a <see cref="TimeoutException"/> inside. It interrupts no running
    /// call. <see cref="TransactionWithDeadlineAttribute"/> sets one for a method, which counts instead of this one.
    /// </remarks>
    public TimeSpan? Deadline { get; set; }

    /// <summary>Gets or sets how long the silo's transaction agent may take to start a transaction.</summary>
    /// <value>From 1 millisecond to 1 day. The default is null: no bound. Orleans' own agent never waits.</value>
    /// <remarks>Later the call fails with <c>OrleansStartTransactionFailedException</c>; nothing has happened.</remarks>
    public TimeSpan? Start { get; set; }

    /// <summary>Gets or sets how long a transaction may wait for the lock of a state.</summary>
    /// <value>From 1 millisecond to 1 day. The default is null: Orleans' <c>LockAcquireTimeout</c> of 10 seconds, which it looks at only when the wait is over.</value>
    /// <remarks>
    /// Sets that option, and ends the wait itself: the read or update fails with
    /// <c>OrleansTransactionTransientFailureException</c>, its function does not run any more, and the transaction
    /// aborts unless that method catches the exception. A method that catches it and tries the same state again aborts
    /// all the same: it comes behind the place in the queue that it has given up.
    /// </remarks>
    public TimeSpan? LockAcquisition { get; set; }

    /// <summary>Gets or sets how long transactions may hold the lock of a state before they are told to commit.</summary>
    /// <value>From 1 millisecond to 1 day. The default is null: Orleans' <c>LockTimeout</c> of 8 seconds.</value>
    /// <remarks>
    /// The holders are aborted then, definitely. Orleans counts anew for each transaction that joins the holders, and waits as long for
    /// the participants of an aborted one. Shorter than what transactions take, it aborts sound ones; the log warns when it is shorter than they may take.
    /// </remarks>
    public TimeSpan? LockHold { get; set; }

    /// <summary>Gets or sets how long a transaction's manager waits for all participants to prepare.</summary>
    /// <value>From 1 millisecond to 1 day, shorter than <see cref="Commit"/> and <see cref="Response"/>. The default is null: Orleans' <c>PrepareTimeout</c> of 20 seconds.</value>
    /// <remarks>The manager decides then: aborted, definitely.</remarks>
    public TimeSpan? Prepare { get; set; }

    /// <summary>Gets or sets how long the caller of a transaction waits for prepare and commit together.</summary>
    /// <value>
    /// From 1 millisecond to 1 day, longer than <see cref="Prepare"/> and shorter than <see cref="Response"/>. The default is null: the
    /// silo's response timeout of 30 seconds, after which Orleans calls the transaction in doubt.
    /// </value>
    /// <remarks>
    /// It frees the caller and stops nothing. A transaction that has written is in doubt then, and has probably committed. Leave it off
    /// unless the caller can deal with that; shorten <see cref="Prepare"/> instead, which aborts.
    /// </remarks>
    public TimeSpan? Commit { get; set; }

    /// <summary>Gets or sets how long a participant may take to confirm before it answers that it could not.</summary>
    /// <value>From 1 millisecond to 1 day, shorter than <see cref="Response"/>. The default is null: the silo's response timeout of 30 seconds.</value>
    /// <remarks>The manager repeats the confirmation after <see cref="ConfirmRetry"/>. The outcome does not change: the transaction has committed.</remarks>
    public TimeSpan? Confirm { get; set; }

    /// <summary>Gets or sets how long a manager waits before it repeats a confirmation that failed.</summary>
    /// <value>From 1 millisecond to 1 day. The default is null: Orleans' <c>ConfirmationRetryDelay</c> of 30 seconds.</value>
    public TimeSpan? ConfirmRetry { get; set; }

    /// <summary>Gets or sets how often a participant that has prepared asks a silent manager for the outcome.</summary>
    /// <value>From 1 millisecond to 1 day. The default is null: Orleans' <c>RemoteTransactionPingFrequency</c> of 60 seconds.</value>
    /// <remarks>Until it hears of it, the state cannot commit anything else. This decides how fast states recover from a lost silo.</remarks>
    public TimeSpan? Ping { get; set; }

    /// <summary>Gets or sets how long the caller of an aborted transaction waits for the participants to hear of it.</summary>
    /// <value>From 1 millisecond to 1 day, shorter than <see cref="Response"/>. The default is null: the silo's response timeout of 30 seconds.</value>
    /// <remarks>The transaction is aborted all the same. A participant that does not hear of it keeps its lock for <see cref="LockHold"/>.</remarks>
    public TimeSpan? Abort { get; set; }

    /// <summary>Gets or sets how long this silo waits for the answer to any call, also to those of transactions.</summary>
    /// <value>From 1 millisecond to 1 day, longer than <see cref="Prepare"/>. The default is null: the silo's response timeout, by default 30 seconds.</value>
    /// <remarks>It counts for <b>every</b> call that this silo makes, unless the method has a <c>[ResponseTimeout]</c>.</remarks>
    public TimeSpan? Response { get; set; }

    /// <summary>Sets what lets transactions recover from a lost silo in about two seconds, instead of more than forty.</summary>
    /// <remarks>
    /// Lock hold 1 s, lock acquisition 1.5 s, prepare 2 s, ping 2 s, confirm retry 1 s, response 5 s. The price: transactions that hold
    /// a lock for longer than a second abort, every call of the silo times out after five seconds, and a slow store, a long
    /// garbage collection or a starved thread pool aborts what would have committed later. Use it where transactions
    /// take milliseconds. Properties may be set again after it.
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

    /// <summary>What is wrong with the values taken alone, a sentence each that names the property, the value and the range.</summary>
    internal IEnumerable<string> Errors() =>
        from bound in Bounds()
        where bound.Value is { } value && (value < TransactionPhaseRules.Shortest || value > TransactionPhaseRules.Longest)
        select $"{nameof(TransactionPhaseOptions)}.{bound.Name} is {bound.Value}; it must be between {TransactionPhaseRules.Shortest} and {TransactionPhaseRules.Longest}, or null.";

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
