using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Storage in which an activation that has been replaced can no longer write.</summary>
/// <remarks>
/// A silo that stood still and was declared dead may write what it had begun, before it learns of its death. By then,
/// the state's next activation may have told a participant that the transaction aborted. So each activation begins by
/// writing what it has read: the other's write then meets a different ETag, and fails.
/// </remarks>
internal sealed class FencedStateStorage<TState>(ITransactionalStateStorage<TState> storage)
    : ITransactionalStateStorage<TState>
    where TState : class, new()
{
    public async Task<TransactionalStorageLoadResponse<TState>> Load()
    {
        var loaded = await storage.Load();
        loaded.ETag = await storage.Store(loaded.ETag, loaded.Metadata, [], commitUpTo: null, abortAfter: null);
        return loaded;
    }

    public Task<string> Store(
        string? etag, TransactionalStateMetaData metadata, List<PendingTransactionState<TState>>? states,
        long? commitUpTo, long? abortAfter) => storage.Store(etag, metadata, states, commitUpTo, abortAfter);
}

/// <summary>Makes such storage.</summary>
internal sealed class FencedStateStorageFactory(INamedTransactionalStateStorageFactory factory)
    : INamedTransactionalStateStorageFactory
{
    public ITransactionalStateStorage<TState> Create<TState>(string? storageName, string stateName)
        where TState : class, new() =>
        new FencedStateStorage<TState>(factory.Create<TState>(storageName, stateName));
}
