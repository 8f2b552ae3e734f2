using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Registration;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Timers.Scalable.Transactions.Waits;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>The bounds, the clock and the instrument for the transaction phases of one silo.</summary>
internal sealed class TransactionPhases(IServiceProvider services)
{
    /// <summary>Decorates the transaction agent, if it is registered. Later, that is an error at the start.</summary>
    internal static void AddAgent(IServiceCollection services)
    {
        services.TryAddSingleton<TransactionPhases>();
        services.TryAddSingleton<LostCallees>();
        services.AddIfItFits(
            "Transaction agent",
            static services => PhasedTransactionAgent.AddTo(services),
            defaults: 0,
            static () => typeof(PhasedTransactionAgent));
    }

    /// <summary>Decorates the factory of states. <c>UseTransactions</c> may follow.</summary>
    internal static void AddStates(IServiceCollection services)
    {
        if (services.Any(static service => service.ServiceType == typeof(StatesAreAdded)))
        {
            return;
        }

        services.AddSingleton<StatesAreAdded>();
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

    /// <summary>Registered if the factory of states is decorated.</summary>
    private sealed class StatesAreAdded;

    /// <summary>Registered if bounds are checked and enforced.</summary>
    internal sealed class AreConfigured;

    /// <summary>The bounds. Unchecked ones are ignored, and all if the plugin is turned off.</summary>
    internal TransactionPhaseOptions Bounds { get; } = services.GetService<AreConfigured>() is null
        || !services.GetRequiredService<IOptions<OrleansTimerOptions>>().Value.Enabled
        ? new TransactionPhaseOptions()
        : services.GetRequiredService<IOptions<TransactionPhaseOptions>>().Value;

    internal TransactionPhaseMetrics Metrics { get; } =
        new(services.GetService<IMeterFactory>(), TimerServiceName.Host(services));

    /// <summary>Ends requests; null if no phases are configured.</summary>
    internal AbandonedRequests? Requests { get; } = services.GetService<AbandonedRequests>();

    internal TimeProvider Clock { get; } = AbandonedRequests.ClockOf(services);
}
