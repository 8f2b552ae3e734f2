using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable;
using Orleans.Timers.Scalable.Registration;
using Orleans.Timers.Scalable.Transactions.Phases;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Hosting;

/// <summary>Bounds the phases of transactions in a silo.</summary>
/// <remarks>
/// <para>
/// Call this method after <c>UseTransactions</c>, which it calls itself if necessary. A later call to
/// <c>UseTransactions</c> would replace its registrations, so such a silo does not start. The method does not need
/// <c>AddScalableTimers</c>. With it, the plugin's bounds wait on the silo's timer wheels, and a grain that deactivates
/// waits for no commit or lock that it can no longer be told of.
/// </para>
/// <para>
/// The meter <c>Orleans.Timers.Scalable</c> has a counter <c>scalable_timers.transaction.phase.timeouts</c>, with the
/// tags <c>phase</c> and <c>silo</c>.
/// </para>
/// <para>
/// <b>Cost.</b> No call filter is registered, so a call without a transaction costs nothing. An access of a state costs
/// two small objects, and a request that waits costs a timer and a registration. Each activation writes a transactional
/// state once, so it fails where the state can only be read.
/// </para>
/// <para>
/// <b>Threads.</b> Call this method while the silo is being configured. Calling twice registers once, but applies both
/// configurations.
/// </para>
/// </remarks>
public static class TransactionPhasesBuilderExtensions
{
    /// <summary>Bounds the phases of transactions.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configure">
    /// Sets bounds. A bound that is out of range, or that contradicts another, keeps the silo from starting.
    /// </param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder ConfigureTransactionPhases(
        this ISiloBuilder builder, Action<TransactionPhaseOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        AddTo(builder);
        return configure is null ? builder : builder.Configure(configure);
    }

    private static void AddTo(ISiloBuilder builder)
    {
        var services = builder.Services;
        if (services.Any(static service => service.ServiceType == typeof(TransactionPhases.AreConfigured)))
        {
            return;
        }

        if (!services.Any(static service => service.ServiceType == typeof(ITransactionAgent)))
        {
            builder.UseTransactions();
        }

        ConfiguredOptions<OrleansTimerOptions>.AddTo(services);
        ConfiguredOptions<TransactionPhaseOptions>.AddTo(services, $"{ConfiguredKeys.Root}:TransactionPhases");
        services.AddSingleton(new LostWhenOff(
            "transactions have no bounds, no fast recovery and no safe answer to early questions, so no other silo may "
                + "use fast recovery meanwhile"));
        services.AddSingleton<TransactionPhases.AreConfigured>();
        services.AddSingleton<AbandonedRequests>();

        // First, because the agent of the next reads the options.
        services.AddSingleton<IConfigurationValidator, TransactionPhaseOptionsValidator>();
        TransactionPhases.AddAgent(services);
        services.AddSingleton<IPostConfigureOptions<TransactionalStateOptions>, TransactionPhaseSetup>();

        services.AddIfItFits(
            "Presumed aborts",
            static services => services.Decorate<IGrainExtension>(
                typeof(ITransactionManagerExtension),
                static (managers, services) =>
                    new PresumedAborts((ITransactionManagerExtension)managers, Abandoned(services))),
            defaults: 2,
            static () => typeof(PresumedAborts),
            static () => StorageWorkers.Checked());
        services.AddIfItFits(
            "Abandoned requests",
            static services => services.Decorate<IGrainExtension>(
                typeof(ITransactionalResourceExtension),
                static (resources, services) =>
                    new AbandoningResources((ITransactionalResourceExtension)resources, Abandoned(services))),
            defaults: 3,
            static () => typeof(AbandoningResources));
        services.AddIfItFits(
            "Fencing",
            static services =>
            {
                services.AddSingleton<IConfigurationValidator, FencingValidator>();
                services.Decorate<INamedTransactionalStateStorageFactory>(
                    null, static (factory, _) => new FencedStateStorageFactory(factory));
            },
            defaults: 0,
            static () => typeof(FencedStateStorage<object>),
            static () => typeof(FencedStateStorageFactory));
        TransactionPhases.AddStates(services);
    }

    private static AbandonedRequests Abandoned(IServiceProvider services) =>
        services.GetRequiredService<AbandonedRequests>();
}
