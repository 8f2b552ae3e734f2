namespace Orleans.Timers.Scalable;

/// <summary>
/// Replaces <c>[Transaction]</c> on a method of a grain interface, and gives a transaction that the method starts a
/// deadline.
/// </summary>
/// <remarks>
/// <para>
/// When the method has ended and the transaction is to be committed, its age is checked. If it is older than the
/// deadline, it is aborted, definitely, and the caller gets <c>OrleansTransactionTransientFailureException</c> with a
/// <see cref="TimeoutException"/> inside. Nothing is interrupted before that. A method that joins a transaction is
/// under that transaction's deadline, and its own does not count.
/// </para>
/// <para>
/// The deadline replaces <see cref="TransactionPhaseOptions.Deadline"/>. Silos and clients need no configuration for
/// it, and nothing changes on the wire.
/// </para>
/// <para>
/// <b>Cost.</b> Nothing for other methods, because there is no call filter. <b>Accuracy.</b> Monotonic time of the silo
/// that runs the method; never early.
/// </para>
/// </remarks>
[InvokableCustomInitializer("SetTransactionOptions")]
[InvokableCustomInitializer("SetTransactionDeadline", AttributeArgumentIndex = 1)]
[InvokableBaseType(typeof(GrainReference), typeof(ValueTask), typeof(TransactionRequestWithDeadline))]
[InvokableBaseType(typeof(GrainReference), typeof(ValueTask<>), typeof(TransactionRequestWithDeadline<>))]
[InvokableBaseType(typeof(GrainReference), typeof(Task), typeof(TransactionTaskRequestWithDeadline))]
[InvokableBaseType(typeof(GrainReference), typeof(Task<>), typeof(TransactionTaskRequestWithDeadline<>))]
[AttributeUsage(AttributeTargets.Method)]
public sealed class TransactionWithDeadlineAttribute : Attribute
{
    /// <summary>Declares that a method is a transaction with a deadline.</summary>
    /// <param name="requirement">As for <c>[Transaction]</c>.</param>
    /// <param name="deadline">
    /// From 1 millisecond to 1 day, in the format of <see cref="TimeSpan.Parse(string)"/>: <c>"00:00:02"</c> is two
    /// seconds. With any other text the call fails.
    /// </param>
    public TransactionWithDeadlineAttribute(TransactionOption requirement, string deadline)
    {
        Requirement = requirement;
        Deadline = deadline;
    }

    /// <summary>Gets how the method takes part in transactions.</summary>
    public TransactionOption Requirement { get; }

    /// <summary>Gets how old a transaction that the method starts may be when it is to be committed.</summary>
    public string Deadline { get; }
}
