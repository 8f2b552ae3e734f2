using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable;

/// <summary>What the builder extensions of transaction phases register.</summary>
internal static class TransactionPhasesRegistration
{
    internal static OptionsBuilder<TransactionPhaseOptions> AddTo(ISiloBuilder builder)
    {
        var services = builder.Services;
        if (!services.Any(static service => service.ServiceType == typeof(TransactionPhases)))
        {
            if (!services.Any(static service => service.ServiceType == typeof(ITransactionAgent)))
            {
                builder.UseTransactions();
            }

            services.AddSingleton(static _ => new TransactionPhaseStatistics());
            services.AddSingleton<TransactionPhaseMetrics>();
            services.AddSingleton<TransactionPhases>();
            services.AddSingleton<IConfigurationValidator, TransactionPhaseOptionsValidator>();
            services.AddSingleton<IPostConfigureOptions<TransactionalStateOptions>, TransactionPhaseSetup>();
            services.AddSingleton<IPostConfigureOptions<SiloMessagingOptions>, TransactionPhaseSetup>();
            DecorateParts(services);
        }

        return services.AddOptions<TransactionPhaseOptions>();
    }

    internal static void Measure(ISiloBuilder builder)
    {
        AddTo(builder);
        if (!builder.Services.Any(static service => service.ServiceType == typeof(TransactionPhases.MeasuringIsWanted)))
        {
            builder.Services.AddSingleton<TransactionPhases.MeasuringIsWanted>();
        }
    }

    private static void DecorateParts(IServiceCollection services)
    {
        services.Decorate<ITransactionAgent>(null, static (agent, phases, services) =>
            new PhasedTransactionAgent(agent, phases, services.GetRequiredService<ILogger<PhasedTransactionAgent>>()));
        services.Decorate<ITransactionalStateFactory>(null, static (factory, phases, services) =>
            new PhasedTransactionalStateFactory(factory, phases, services.GetRequiredService<IGrainContextAccessor>()));
        services.Decorate<INamedTransactionalStateStorageFactory>(null, static (factory, phases, _) =>
            new MeasuredStateStorageFactory(factory, phases));
        services.Decorate<IGrainExtension>(
            typeof(ITransactionalResourceExtension),
            static (resource, phases, services) => phases.IsMeasuring || phases.Bounds.Confirm is not null
                ? new PhasedResourceExtension((ITransactionalResourceExtension)resource, phases, Contexts(services))
                : resource);
        services.Decorate<IGrainExtension>(
            typeof(ITransactionManagerExtension),
            static (manager, phases, services) => phases.IsMeasuring
                ? new PhasedManagerExtension((ITransactionManagerExtension)manager, phases, Contexts(services))
                : manager);
    }

    private static IGrainContextAccessor Contexts(IServiceProvider services) =>
        services.GetRequiredService<IGrainContextAccessor>();
}
