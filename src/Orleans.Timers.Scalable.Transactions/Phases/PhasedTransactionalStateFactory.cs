using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Creates transactional states whose waits for their locks are bounded and measured.</summary>
internal sealed class PhasedTransactionalStateFactory(
    ITransactionalStateFactory factory, TransactionPhases phases, IGrainContextAccessor contexts)
    : ITransactionalStateFactory
{
    public ITransactionalState<TState> Create<TState>(TransactionalStateConfiguration config)
        where TState : class, new()
    {
        var state = factory.Create<TState>(config);
        return phases.Bounds.LockAcquisition is null && !phases.IsMeasuring
            ? state
            : new PhasedTransactionalState<TState>(state, config.StateName, phases, contexts.GrainContext);
    }
}
