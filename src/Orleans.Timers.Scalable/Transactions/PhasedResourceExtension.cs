using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable;

/// <summary>
/// Bounds and measures how a participant handles the messages of a transaction, without a call filter.
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
        var confirm = resource.Confirm(resourceId, transactionId, timeStamp);
        var hasEnded = await confirm.EndsWithin(phases.Bounds.Confirm, phases.Clock);
        phases.Measure(TransactionPhase.Confirm, begun);
        if (!hasEnded)
        {
            // The confirmation goes on. The manager asks again. It finds the work done, or waits for it once more.
            confirm.Ignore();
            phases.Metrics.TimedOut(TransactionPhase.Confirm);
            throw new TimeoutException(
                $"Transaction {transactionId} was not confirmed within "
                    + $"{nameof(TransactionPhaseOptions)}.{nameof(TransactionPhaseOptions.Confirm)} "
                    + $"({phases.Bounds.Confirm}).");
        }

        await confirm;
    }
}
