using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable;

/// <summary>Makes storages of transactional states that measure how long they take, where that is wanted.</summary>
internal sealed class MeasuredStateStorageFactory(INamedTransactionalStateStorageFactory factory, TransactionPhases phases)
    : INamedTransactionalStateStorageFactory
{
    public ITransactionalStateStorage<TState> Create<TState>(string? storageName, string stateName)
        where TState : class, new()
    {
        // No name means the default storage in every version; older ones do not say that the name may be null.
        var storage = factory.Create<TState>(storageName!, stateName);
        return phases.IsMeasuring ? new MeasuredStateStorage<TState>(storage, phases) : storage;
    }
}
