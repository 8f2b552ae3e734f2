using System.Diagnostics;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// Keeps the transaction managers of an activation from committing what they have told a participant to abort.
/// </summary>
/// <remarks>
/// A prepared participant that hears nothing asks the manager. Orleans answers that a transaction aborted if its
/// manager does not know it, or is only waiting to commit it. The request to commit may be late, though, for example in
/// the socket of a process that stood still. It would still commit, because the participant had prepared: half of the
/// transaction would be missing, and its caller would be told of success. By default participants ask after a minute,
/// when the manager has long lost its lock. Fast recovery asks after two seconds.
/// <para>
/// All of this runs on the activation's scheduler, one step at a time. The calls interleave.
/// </para>
/// </remarks>
internal sealed class PresumedAborts(ITransactionManagerExtension managers) : ITransactionManagerExtension
{
    /// <summary>Longer than any lock lasts, without which nothing commits.</summary>
    private static readonly TimeSpan s_memory = TimeSpan.FromMinutes(1);

    /// <summary>No transaction has this many reads, so that Orleans aborts it, and tells everyone.</summary>
    private static readonly AccessCounter s_invalid = new() { Reads = -1 };

    private readonly HashSet<Guid> _deciding = [];
    private readonly Dictionary<Guid, long> _presumedAt = [];

    // Orleans calls the overloads with a token, which forward to these, and never passes one.
    public async Task<TransactionalStatus> PrepareAndCommit(
        string resourceId,
        Guid transactionId,
        AccessCounter accessCount,
        DateTime timeStamp,
        List<ParticipantId> writeResources,
        int totalParticipants)
    {
        var count = _presumedAt.ContainsKey(transactionId) ? s_invalid : accessCount;
        _deciding.Add(transactionId);
        try
        {
            return await managers.PrepareAndCommit(
                resourceId, transactionId, count, timeStamp, writeResources, totalParticipants);
        }
        finally
        {
            _deciding.Remove(transactionId);
        }
    }

    public Task Prepared(
        string resourceId, Guid transactionId, DateTime timeStamp, ParticipantId from, TransactionalStatus status) =>
        managers.Prepared(resourceId, transactionId, timeStamp, from, status);

    public Task Ping(string resourceId, Guid transactionId, DateTime timeStamp, ParticipantId resource)
    {
        if (_deciding.Contains(transactionId))
        {
            // The participant asks again later.
            return Task.CompletedTask;
        }

        foreach (var (id, at) in _presumedAt)
        {
            if (Stopwatch.GetElapsedTime(at) > s_memory)
            {
                _presumedAt.Remove(id);
            }
        }

        _presumedAt.TryAdd(transactionId, Stopwatch.GetTimestamp());
        return managers.Ping(resourceId, transactionId, timeStamp, resource);
    }
}
