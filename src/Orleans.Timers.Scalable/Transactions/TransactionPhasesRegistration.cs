using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable;

/// <summary>What the builder extensions of transaction phases register.</summary>
internal static class TransactionPhasesRegistration
{
    /// <summary>
    /// Makes <see cref="TransactionWithDeadlineAttribute"/> work in a silo that configures no phases. It costs nothing
    /// until a method with the attribute is called.
    /// </summary>
    internal static void AddDeadlines(IServiceCollection services)
    {
        services.TryAddSingleton(static services => new TransactionPhaseMetrics(
            services.GetRequiredService<IMeterFactory>(), TimerServiceName.Host(services)));
        services.TryAddSingleton<TransactionPhases>();
        services.TryAddSingleton<DeadlineAgents>();
    }

    internal static void AddTo(ISiloBuilder builder)
    {
        var services = builder.Services;
        if (services.Any(static service => service.ServiceType == typeof(TransactionPhases.BoundsAreWanted)))
        {
            return;
        }

        if (!services.Any(static service => service.ServiceType == typeof(ITransactionAgent)))
        {
            builder.UseTransactions();
        }

        AddDeadlines(services);
        services.AddSingleton<TransactionPhases.BoundsAreWanted>();
        services.AddSingleton<IConfigurationValidator, TransactionPhaseOptionsValidator>();
        services.AddSingleton<IPostConfigureOptions<TransactionalStateOptions>, TransactionPhaseSetup>();
        services.AddSingleton<IPostConfigureOptions<SiloMessagingOptions>, TransactionPhaseSetup>();
        services.Decorate<ITransactionAgent>(null, static (agent, services) => new PhasedTransactionAgent(
            agent, Phases(services), services.GetRequiredService<ILogger<PhasedTransactionAgent>>()));
        DecorateParticipants(services);
    }

    internal static void Measure(IServiceCollection services) =>
        services.TryAddSingleton<TransactionPhases.MeasuringIsWanted>();

    private static void DecorateParticipants(IServiceCollection services)
    {
        services.Decorate<ITransactionalStateFactory>(null, static (factory, services) =>
            new PhasedTransactionalStateFactory(factory, Phases(services), Contexts(services)));
        services.Decorate<IGrainExtension>(
            typeof(ITransactionalResourceExtension),
            static (resource, services) => Phases(services) is { IsMeasuring: true } phases
                ? new PhasedResourceExtension((ITransactionalResourceExtension)resource, phases, Contexts(services))
                : resource);
        services.Decorate<IGrainExtension>(
            typeof(ITransactionManagerExtension),
            static (manager, services) => Phases(services) is { IsMeasuring: true } phases
                ? new PhasedManagerExtension((ITransactionManagerExtension)manager, phases, Contexts(services))
                : manager);
    }

    private static TransactionPhases Phases(IServiceProvider services) =>
        services.GetRequiredService<TransactionPhases>();

    private static IGrainContextAccessor Contexts(IServiceProvider services) =>
        services.GetRequiredService<IGrainContextAccessor>();
}
