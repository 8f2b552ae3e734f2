using System.ComponentModel;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Timers.Scalable.Transactions.Phases;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable;

/// <summary>
/// The base class of the calls that Orleans' code generator makes for methods with a
/// <see cref="TransactionWithDeadlineAttribute"/>. Not for use in code.
/// </summary>
[SerializerTransparent]
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class TransactionRequestWithDeadline(
    Serializer<OrleansTransactionAbortedException> exceptionSerializer, IServiceProvider serviceProvider)
    : TransactionRequest(exceptionSerializer, DeadlineAgents.For(serviceProvider))
{
    [NonSerialized]
    private string? _deadline;

    /// <inheritdoc/>
    public override ValueTask<Response> Invoke() => TransactionDeadline.Invoke(this, _deadline, () => base.Invoke());

    /// <summary>Sets the deadline. Called by generated code.</summary>
    /// <param name="deadline">The attribute's deadline.</param>
    protected void SetTransactionDeadline(string deadline) => _deadline = deadline;
}

/// <inheritdoc cref="TransactionRequestWithDeadline"/>
/// <typeparam name="TResult">What the method returns.</typeparam>
[SerializerTransparent]
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class TransactionRequestWithDeadline<TResult>(
    Serializer<OrleansTransactionAbortedException> exceptionSerializer, IServiceProvider serviceProvider)
    : TransactionRequest<TResult>(exceptionSerializer, DeadlineAgents.For(serviceProvider))
{
    [NonSerialized]
    private string? _deadline;

    /// <inheritdoc/>
    public override ValueTask<Response> Invoke() => TransactionDeadline.Invoke(this, _deadline, () => base.Invoke());

    /// <inheritdoc cref="TransactionRequestWithDeadline.SetTransactionDeadline"/>
    protected void SetTransactionDeadline(string deadline) => _deadline = deadline;
}
