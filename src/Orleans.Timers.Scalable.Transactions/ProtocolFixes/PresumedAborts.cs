using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>
/// Keeps the transaction managers of an activation from committing what they have told a participant to abort.
/// </summary>
/// <remarks>
/// A prepared participant that hears nothing asks the manager. Orleans answers that a transaction aborted if its
/// manager does not know it, or is only waiting to commit it. The request to commit may be late, though, for example in
/// the socket of a process that stood still. It would still commit, because the participant had prepared: half of the
/// transaction would be missing, and its caller would be told of success. By default participants ask after a minute,
/// when the manager has long lost its lock, or when they are activated. Fast recovery asks after two seconds.
/// </remarks>
internal sealed class PresumedAborts(ITransactionManagerExtension managers, AbandonedRequests abandoned)
    : ITransactionManagerExtension
{
    /// <summary>Longer than any lock lasts, without which nothing commits.</summary>
    private static readonly TimeSpan s_memory = TimeSpan.FromMinutes(10);

    /// <summary>No transaction has this many reads, so that Orleans aborts it, and tells everyone.</summary>
    private static readonly AccessCounter s_invalid = new() { Reads = -1 };

    // Used on the activation's scheduler only, on which calls interleave.
    private readonly HashSet<Guid> _deciding = [];
    private readonly HashSet<Guid> _presumed = [];
    private readonly Queue<(Guid Id, long Since)> _byAge = [];

    public Task<TransactionalStatus> PrepareAndCommit(
        string resource, Guid id, AccessCounter accesses, DateTime time, List<ParticipantId> writers,
        int participants) =>
        PrepareAndCommit(resource, id, accesses, time, writers, participants, CancellationToken.None);

    // When the caller has given up, the manager still decides. When the activation deactivates, it decides to abort: a
    // commit that has not reached the storage by then waits for a message that no longer arrives.
    public Task<TransactionalStatus> PrepareAndCommit(
        string resource, Guid id, AccessCounter accesses, DateTime time, List<ParticipantId> writers,
        int participants, CancellationToken cancellationToken)
    {
        var activation = abandoned.Activation;
        return abandoned.End(Decide(), Abort, cancellationToken);

        void Abort()
        {
            // What is being written may already be committed.
            if (StorageWorkers.AreIdle(activation!, resource))
            {
                managers.Prepared(
                    resource, id, time, writers[0], TransactionalStatus.PrepareTimeout, CancellationToken.None)
                    .Ignore();
            }
        }

        async Task<TransactionalStatus> Decide()
        {
            _deciding.Add(id);
            try
            {
                accesses = _presumed.Contains(id) ? s_invalid : accesses;
                return await managers.PrepareAndCommit(
                    resource, id, accesses, time, writers, participants, CancellationToken.None);
            }
            finally
            {
                _deciding.Remove(id);
            }
        }
    }

    // Of these two, Orleans calls the overloads with a token, which forward here without it.
    public Task Prepared(string resource, Guid id, DateTime time, ParticipantId from, TransactionalStatus status) =>
        managers.Prepared(resource, id, time, from, status);

    public Task Ping(string resource, Guid id, DateTime time, ParticipantId participant)
    {
        if (_deciding.Contains(id))
        {
            // The participant asks again later.
            return Task.CompletedTask;
        }

        while (_byAge.TryPeek(out var oldest) && abandoned.Clock.GetElapsedTime(oldest.Since) > s_memory)
        {
            _presumed.Remove(_byAge.Dequeue().Id);
        }

        if (_presumed.Add(id))
        {
            _byAge.Enqueue((id, abandoned.Clock.GetTimestamp()));
        }

        return managers.Ping(resource, id, time, participant);
    }
}
