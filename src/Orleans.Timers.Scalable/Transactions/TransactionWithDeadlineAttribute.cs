namespace Orleans.Timers.Scalable;

/// <summary>In place of <c>[Transaction]</c> on a grain interface's method: a transaction that the method starts has a deadline.</summary>
/// <remarks>
/// <para>
/// If it is older than that when the method has ended and it is to be committed, it is aborted, definitely, and the caller gets
/// <c>OrleansTransactionTransientFailureException</c> with a <see cref="TimeoutException"/> inside. Nothing is interrupted before.
/// A method that joins a transaction is under that one's deadline and its own says nothing.
/// </para>
/// <para>
/// It counts in silos that call <c>ConfigureTransactionPhases</c>, and there instead of <see cref="TransactionPhaseOptions.Deadline"/>; elsewhere
/// the method is an ordinary transaction. Clients need no configuration, and nothing changes on the wire.
/// </para>
/// <para><b>Cost.</b> Nothing for other methods: no call filter. <b>Accuracy.</b> Monotonic time of the silo that runs the method; never early.</para>
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
    /// <summary>Says that a method is a transaction with a deadline.</summary>
    /// <param name="requirement">As for <c>[Transaction]</c>.</param>
    /// <param name="deadline">From 1 millisecond to 1 day, as <see cref="TimeSpan.Parse(string)"/> reads it: <c>"00:00:02"</c> is two seconds. Another text fails the call.</param>
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
