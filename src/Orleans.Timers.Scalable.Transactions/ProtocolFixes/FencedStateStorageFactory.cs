using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

internal sealed class FencedStateStorageFactory(INamedTransactionalStateStorageFactory factory)
    : INamedTransactionalStateStorageFactory
{
    public ITransactionalStateStorage<TState> Create<TState>(string? storageName, string stateName)
        where TState : class, new() =>
        new FencedStateStorage<TState>(factory.Create<TState>(storageName, stateName));
}
