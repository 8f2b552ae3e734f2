using Orleans.Storage;
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
    // When a write and the loading after it fail, Orleans goes on with half of the write: a commit without its state.
    private bool _isLoaded;

    // An activation that was replaced loads once more while it deactivates, and must not drive its successor out.
    private bool _isReplaced;

    public async Task<TransactionalStorageLoadResponse<TState>> Load()
    {
        _isLoaded = false;
        var loaded = await storage.Load();
        loaded.ETag = _isReplaced
            ? loaded.ETag
            : await storage.Store(loaded.ETag, loaded.Metadata, [], commitUpTo: null, abortAfter: null);
        _isLoaded = true;
        return loaded;
    }

    public async Task<string> Store(
        string? etag, TransactionalStateMetaData metadata, List<PendingTransactionState<TState>>? states,
        long? commitUpTo, long? abortAfter)
    {
        if (!_isLoaded)
        {
            throw new InvalidOperationException("The last write failed, so the state must be loaded before the next.");
        }

        try
        {
            _isLoaded = false;
            var stored = await storage.Store(etag, metadata, states, commitUpTo, abortAfter);
            _isLoaded = true;
            return stored;
        }
        catch (InconsistentStateException)
        {
            _isReplaced = true;
            throw;
        }
    }
}

internal sealed class FencedStateStorageFactory(INamedTransactionalStateStorageFactory factory)
    : INamedTransactionalStateStorageFactory
{
    public ITransactionalStateStorage<TState> Create<TState>(string? storageName, string stateName)
        where TState : class, new() =>
        new FencedStateStorage<TState>(factory.Create<TState>(storageName, stateName));
}
