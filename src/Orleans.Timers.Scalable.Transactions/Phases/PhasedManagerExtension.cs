using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// Measures how long a transaction's manager waits for the participants, and then how long it commits. Used only if
/// measuring is on.
/// </summary>
internal sealed class PhasedManagerExtension(
    ITransactionManagerExtension manager, TransactionPhases phases, IGrainContextAccessor contexts)
    : ITransactionManagerExtension
{
    private readonly HeldLocks _locks = HeldLocks.Of(contexts.GrainContext);

    /// <summary>
    /// The time when the last participant reported that it was prepared. Used on the activation's scheduler only.
    /// </summary>
    private readonly Dictionary<Guid, long> _prepared = [];

    public async Task<TransactionalStatus> PrepareAndCommit(
        string resourceId,
        Guid transactionId,
        AccessCounter accessCount,
        DateTime timeStamp,
        List<ParticipantId> writeResources,
        int totalParticipants)
    {
        _locks.End(resourceId, transactionId, phases);

        // The manager has not waited for participants that were faster than this message.
        var begun = phases.Clock.GetTimestamp();
        _prepared[transactionId] = begun;
        try
        {
            var status = await manager.PrepareAndCommit(
                resourceId,
                transactionId,
                accessCount,
                timeStamp,
                writeResources,
                totalParticipants);
            if (status == TransactionalStatus.PrepareTimeout)
            {
                phases.Metrics.Took(TransactionPhase.Prepare, phases.Clock.GetElapsedTime(begun));
                phases.Metrics.TimedOut(TransactionPhase.Prepare);
            }
            else if (status == TransactionalStatus.Ok)
            {
                var prepared = _prepared[transactionId];
                phases.Metrics.Took(TransactionPhase.Prepare, phases.Clock.GetElapsedTime(begun, prepared));
                phases.Metrics.Took(TransactionPhase.Commit, phases.Clock.GetElapsedTime(prepared));
            }

            return status;
        }
        finally
        {
            _prepared.Remove(transactionId);
        }
    }

    public Task Prepared(
        string resourceId,
        Guid transactionId,
        DateTime timestamp,
        ParticipantId resource,
        TransactionalStatus status)
    {
        if (_prepared.ContainsKey(transactionId))
        {
            _prepared[transactionId] = phases.Clock.GetTimestamp();
        }

        return manager.Prepared(resourceId, transactionId, timestamp, resource, status);
    }

    public Task Ping(string resourceId, Guid transactionId, DateTime timeStamp, ParticipantId resource) =>
        manager.Ping(resourceId, transactionId, timeStamp, resource);
}
