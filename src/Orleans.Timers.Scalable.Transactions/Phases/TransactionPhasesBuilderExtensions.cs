using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable;
using Orleans.Timers.Scalable.Registration;
using Orleans.Timers.Scalable.Transactions.Phases;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Hosting;

/// <summary>Bounds and measures the phases of transactions in a silo.</summary>
/// <remarks>
/// <para>
/// Call these methods after <c>UseTransactions</c>. They call it themselves if it has not been called. A later call of
/// <c>UseTransactions</c> would replace their registrations, so such a silo does not start. They do not need
/// <c>AddScalableTimers</c>. With it, the plugin's bounds wait on the silo's timer wheels.
/// </para>
/// <para>
/// <b>Cost.</b> No call filter is registered, so a call without a transaction costs nothing. A phase without a bound
/// and without measuring costs a call through an interface. Measuring reads the clock about twenty times for a
/// transaction of two participants.
/// </para>
/// <para>
/// <b>Threads.</b> Call these methods while the silo is being configured. Calling twice configures twice and registers
/// once.
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

    /// <summary>Measures each phase: how long it took, and how often it took too long.</summary>
    /// <param name="builder">The silo.</param>
    /// <returns><paramref name="builder"/>.</returns>
    /// <remarks>
    /// The meter <c>Orleans.Timers.Scalable</c> has a histogram <c>scalable_timers.transaction.phase.duration</c> in
    /// seconds and a counter <c>scalable_timers.transaction.phase.timeouts</c>, with the tags <c>phase</c> and
    /// <c>silo</c>. Each phase is measured in the silo where it happens.
    /// </remarks>
    public static ISiloBuilder MeasureTransactionPhases(this ISiloBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        AddTo(builder);
        builder.Services.TryAddSingleton<TransactionPhases.MeasuringIsWanted>();
        return builder;
    }

    private static void AddTo(ISiloBuilder builder)
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

        services.AddSingleton<TransactionPhases>();
        services.AddSingleton<TransactionPhases.BoundsAreWanted>();
        services.AddSingleton<IConfigurationValidator, TransactionPhaseOptionsValidator>();
        services.AddSingleton<IPostConfigureOptions<TransactionalStateOptions>, TransactionPhaseSetup>();
        services.AddSingleton<IPostConfigureOptions<SiloMessagingOptions>, TransactionPhaseSetup>();
        services.Decorate<ITransactionAgent>(null, static (agent, services) => new PhasedTransactionAgent(
            agent, Phases(services), services.GetRequiredService<ILogger<PhasedTransactionAgent>>()));
        DecorateParticipants(services);
    }

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
