using System.ComponentModel;
using Orleans.Serialization;
using Orleans.Serialization.Invocation;
using Orleans.Timers.Scalable.Transactions.Phases;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable;

/// <summary>
/// The base class from which Orleans' code generator derives the calls of methods with a
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

    /// <summary>Sets the deadline. Generated code calls it.</summary>
    /// <param name="deadline">The deadline of the attribute.</param>
    protected void SetTransactionDeadline(string deadline) => _deadline = deadline;
}
