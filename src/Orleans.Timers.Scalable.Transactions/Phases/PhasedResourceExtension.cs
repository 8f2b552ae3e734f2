using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// Measures how a participant handles the messages of a transaction, without a call filter. Used only if measuring is
/// on.
/// </summary>
internal sealed class PhasedResourceExtension(
    ITransactionalResourceExtension resource, TransactionPhases phases, IGrainContextAccessor contexts)
    : ITransactionalResourceExtension
{
    private readonly HeldLocks _locks = HeldLocks.Of(contexts.GrainContext);

    public Task<TransactionalStatus> CommitReadOnly(
        string resourceId,
        Guid transactionId,
        AccessCounter accessCount,
        DateTime timeStamp)
    {
        _locks.End(resourceId, transactionId, phases);
        return resource.CommitReadOnly(resourceId, transactionId, accessCount, timeStamp);
    }

    public Task Abort(string resourceId, Guid transactionId)
    {
        _locks.End(resourceId, transactionId, phases);
        return resource.Abort(resourceId, transactionId);
    }

    public Task Cancel(string resourceId, Guid transactionId, DateTime timeStamp, TransactionalStatus status)
    {
        _locks.End(resourceId, transactionId, phases);
        return resource.Cancel(resourceId, transactionId, timeStamp, status);
    }

    public Task Prepare(
        string resourceId,
        Guid transactionId,
        AccessCounter accessCount,
        DateTime timeStamp,
        ParticipantId transactionManager)
    {
        _locks.End(resourceId, transactionId, phases);
        return resource.Prepare(resourceId, transactionId, accessCount, timeStamp, transactionManager);
    }

    public async Task Confirm(string resourceId, Guid transactionId, DateTime timeStamp)
    {
        var begun = phases.Clock.GetTimestamp();
        await resource.Confirm(resourceId, transactionId, timeStamp);
        phases.Measure(TransactionPhase.Confirm, begun);
    }
}
