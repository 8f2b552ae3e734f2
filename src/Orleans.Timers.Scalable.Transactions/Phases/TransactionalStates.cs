using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Orleans.Timers.Scalable.Registration;
using Orleans.Timers.Scalable.Transactions.Waits;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Creates transactional states whose delays are told apart, and whose lock waits are bounded.</summary>
internal sealed class TransactionalStates(
    ITransactionalStateFactory factory,
    TransactionPhases phases,
    IGrainContextAccessor contexts,
    WorkerTokens? tokens) : ITransactionalStateFactory
{
    /// <summary>Registered if the factory is decorated. <c>UseTransactions</c> may follow.</summary>
    private sealed class AreAdded;

    internal static void AddTo(IServiceCollection services)
    {
        if (services.Any(static service => service.ServiceType == typeof(AreAdded)))
        {
            return;
        }

        services.AddSingleton<AreAdded>();
        services.TryAddSingleton<TransactionPhases>();
        services.TryAddTransient<ITransactionalStateFactory, TransactionalStateFactory>();
        services.AddIfItFits(
            "Transactional states",
            static services => services.Decorate<ITransactionalStateFactory>(
                null,
                static (factory, services) => new TransactionalStates(
                    factory,
                    services.GetRequiredService<TransactionPhases>(),
                    services.GetRequiredService<IGrainContextAccessor>(),
                    services.GetService<WorkerTokens>())),
            defaults: 0,
            static () => typeof(PhasedTransactionalState<object>),
            static () => typeof(TransactionalStates));
    }

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
