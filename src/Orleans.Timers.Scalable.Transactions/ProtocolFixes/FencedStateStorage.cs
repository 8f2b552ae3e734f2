using Orleans.Storage;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

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

    // All calls that waited for a failed loading load at once. Orleans then lets the last one's outcome count.
    private Task<TransactionalStorageLoadResponse<TState>>? _loading;
    private int _loads;

    public async Task<TransactionalStorageLoadResponse<TState>> Load()
    {
        _isLoaded = false;
        var load = ++_loads;
        try
        {
            var loaded = await (_loading ??= LoadAndFence());
            if (load != _loads)
            {
                throw new InvalidOperationException("Another call loads the state.");
            }

            _isLoaded = true;
            return loaded;
        }
        finally
        {
            if (load == _loads)
            {
                _loading = null;
            }
        }
    }

    private async Task<TransactionalStorageLoadResponse<TState>> LoadAndFence()
    {
        // Often a write has just failed. If loading failed too, each call that waits for it would count as a failure,
        // and after ten Orleans deactivates the grain.
        for (var attempt = 1; ; attempt++)
        {
            var loaded = await storage.Load();
            var abortAfter = DropOutdated(loaded);
            try
            {
                loaded.ETag = _isReplaced
                    ? loaded.ETag
                    : await storage.Store(loaded.ETag, loaded.Metadata, [], commitUpTo: null, abortAfter);
                return loaded;
            }
            catch (Exception) when (attempt < 5)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(10 << attempt), TimeProvider.System);
            }
        }
    }

    // A transaction that aborted with its predecessor may still be stored, behind another of the predecessor's number.
    // Being older, it would be restored in front, and those behind it would abort with it, although they may have
    // committed. Returns the number after which to abort in storage too; null if all are kept.
    private static long? DropOutdated(TransactionalStorageLoadResponse<TState> loaded)
    {
        var pending = loaded.PendingStates;
        var valid = 1 + pending.Zip(pending.Skip(1)).TakeWhile(
            static two => two.First.TimeStamp <= two.Second.TimeStamp).Count();
        loaded.PendingStates = [.. pending.Take(valid)];
        return valid < pending.Count ? pending[valid - 1].SequenceId : null;
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
