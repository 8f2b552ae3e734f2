namespace Orleans.Timers.Scalable;

/// <summary>
/// Replaces <c>[Transaction]</c> on a grain interface's method, and sets a deadline for a transaction that the method
/// starts.
/// </summary>
/// <remarks>
/// <para>
/// When the method has ended and the transaction is about to commit, its age is checked. If it is older than the
/// deadline, it is definitely aborted, and the caller gets <c>OrleansTransactionTransientFailureException</c> with a
/// <see cref="TimeoutException"/> inside. Nothing is interrupted before that. A method that joins a transaction is
/// subject to that transaction's deadline, not to its own.
/// </para>
/// <para>
/// The deadline replaces <see cref="TransactionPhaseOptions.Deadline"/>. Silos and clients need no configuration for
/// it, and nothing is added on the wire.
/// </para>
/// <para>
/// <b>Cost.</b> Nothing for other methods, because there is no call filter. <b>Accuracy.</b> Monotonic time of the silo
/// that runs the method; never early.
/// </para>
/// </remarks>
/// <param name="requirement">The same as for <c>[Transaction]</c>.</param>
/// <param name="deadline">
/// From 1 millisecond to 1 day, in the format of <see cref="TimeSpan.Parse(string)"/>: <c>"00:00:02"</c> is two
/// seconds. Any other text makes the call fail.
/// </param>
[InvokableCustomInitializer("SetTransactionOptions")]
[InvokableCustomInitializer("SetTransactionDeadline", AttributeArgumentIndex = 1)]
[InvokableBaseType(typeof(GrainReference), typeof(ValueTask), typeof(TransactionRequestWithDeadline))]
[InvokableBaseType(typeof(GrainReference), typeof(ValueTask<>), typeof(TransactionRequestWithDeadline<>))]
[InvokableBaseType(typeof(GrainReference), typeof(Task), typeof(TransactionTaskRequestWithDeadline))]
[InvokableBaseType(typeof(GrainReference), typeof(Task<>), typeof(TransactionTaskRequestWithDeadline<>))]
[AttributeUsage(AttributeTargets.Method)]
public sealed class TransactionWithDeadlineAttribute(TransactionOption requirement, string deadline) : Attribute
{
    /// <summary>Gets how the method takes part in transactions.</summary>
    public TransactionOption Requirement { get; } = requirement;

    /// <summary>Gets how old a transaction that the method starts may be when it is about to commit.</summary>
    public string Deadline { get; } = deadline;
}
