using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable;

/// <summary>Measures how long a state's storage takes. It sets no bound.</summary>
/// <remarks>
/// A write that is given up here could still arrive, after Orleans has read the state again and told participants that
/// the transaction aborted. The transaction would be committed at its manager and aborted elsewhere. Only the storage
/// can end a write for good.
/// </remarks>
internal sealed class MeasuredStateStorage<TState>(ITransactionalStateStorage<TState> storage, TransactionPhases phases)
    : ITransactionalStateStorage<TState>
    where TState : class, new()
{
    public async Task<TransactionalStorageLoadResponse<TState>> Load()
    {
        var begun = phases.Clock.GetTimestamp();
        var response = await storage.Load();
        phases.Measure(TransactionPhase.Load, begun);
        return response;
    }

    public async Task<string> Store(
        string? expectedETag,
        TransactionalStateMetaData metadata,
        List<PendingTransactionState<TState>>? statesToPrepare,
        long? commitUpTo,
        long? abortAfter)
    {
        var begun = phases.Clock.GetTimestamp();
        var tag = await storage.Store(expectedETag, metadata, statesToPrepare, commitUpTo, abortAfter);
        phases.Measure(TransactionPhase.Store, begun);
        return tag;
    }
}
