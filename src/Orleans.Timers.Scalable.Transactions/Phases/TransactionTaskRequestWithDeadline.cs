using System.ComponentModel;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Timers.Scalable.Transactions.Phases;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable;

/// <inheritdoc cref="TransactionRequestWithDeadline"/>
[SerializerTransparent]
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class TransactionTaskRequestWithDeadline(
    Serializer<OrleansTransactionAbortedException> exceptionSerializer, IServiceProvider serviceProvider)
    : TransactionTaskRequest(exceptionSerializer, DeadlineAgents.For(serviceProvider))
{
    [NonSerialized]
    private string? _deadline;

    /// <inheritdoc/>
    public override ValueTask<Response> Invoke() => TransactionDeadline.Invoke(this, _deadline, () => base.Invoke());

    /// <inheritdoc cref="TransactionRequestWithDeadline.SetTransactionDeadline"/>
    protected void SetTransactionDeadline(string deadline) => _deadline = deadline;
}

/// <inheritdoc cref="TransactionRequestWithDeadline"/>
/// <typeparam name="TResult">What the method returns.</typeparam>
[SerializerTransparent]
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class TransactionTaskRequestWithDeadline<TResult>(
    Serializer<OrleansTransactionAbortedException> exceptionSerializer, IServiceProvider serviceProvider)
    : TransactionTaskRequest<TResult>(exceptionSerializer, DeadlineAgents.For(serviceProvider))
{
    [NonSerialized]
    private string? _deadline;

    /// <inheritdoc/>
    public override ValueTask<Response> Invoke() => TransactionDeadline.Invoke(this, _deadline, () => base.Invoke());

    /// <inheritdoc cref="TransactionRequestWithDeadline.SetTransactionDeadline"/>
    protected void SetTransactionDeadline(string deadline) => _deadline = deadline;
}
