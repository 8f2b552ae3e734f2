using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable;

/// <summary>Creates storages of transactional states that measure how long they take, if measuring is on.</summary>
internal sealed class MeasuredStateStorageFactory(
    INamedTransactionalStateStorageFactory factory, TransactionPhases phases)
    : INamedTransactionalStateStorageFactory
{
    public ITransactionalStateStorage<TState> Create<TState>(string? storageName, string stateName)
        where TState : class, new()
    {
        // Null means the default storage in every version. Older versions do not declare that the name may be null.
        var storage = factory.Create<TState>(storageName!, stateName);
        return phases.IsMeasuring ? new MeasuredStateStorage<TState>(storage, phases) : storage;
    }
}
