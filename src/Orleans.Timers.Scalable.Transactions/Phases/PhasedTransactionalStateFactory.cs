using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Creates transactional states whose lock waits are bounded.</summary>
internal sealed class PhasedTransactionalStateFactory(
    ITransactionalStateFactory factory, TransactionPhases phases, IGrainContextAccessor contexts)
    : ITransactionalStateFactory
{
    public ITransactionalState<TState> Create<TState>(TransactionalStateConfiguration config)
        where TState : class, new()
    {
        var state = factory.Create<TState>(config);
        return phases.Bounds.LockAcquisition is { } limit
            ? new PhasedTransactionalState<TState>(state, config.StateName, phases, limit, contexts.GrainContext)
            : state;
    }
}
