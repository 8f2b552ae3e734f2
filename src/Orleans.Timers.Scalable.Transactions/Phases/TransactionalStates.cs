using Orleans.Timers.Scalable.Transactions.Waits;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Creates transactional states whose delays are told apart, and whose lock waits are bounded.</summary>
internal sealed class TransactionalStates(
    ITransactionalStateFactory factory,
    TransactionPhases phases,
    IGrainContextAccessor contexts,
    WorkerTokens? tokens) : ITransactionalStateFactory
{
    public ITransactionalState<TState> Create<TState>(TransactionalStateConfiguration config)
        where TState : class, new()
    {
        var state = factory.Create<TState>(config);
        var context = contexts.GrainContext;
        tokens?.GiveTo(state, context);
        return phases.Requests is not { } requests
            ? state
            : new PhasedTransactionalState<TState>(
                state,
                config.StateName,
                phases,
                requests,
                phases.Bounds.LockLimit ?? Timeout.InfiniteTimeSpan,
                context);
    }
}
