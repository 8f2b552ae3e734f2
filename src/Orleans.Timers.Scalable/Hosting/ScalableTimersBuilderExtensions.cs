using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Grains;
using Orleans.Timers.Scalable.Hosting;
using Orleans.Timers.Scalable.Registration;
using Orleans.Timers.Scalable.Messaging;
using ScalableTimers;

namespace Orleans.Hosting;

/// <summary>Adds scalable timers to a silo or client.</summary>
/// <remarks>
/// <para>
/// Each silo with scalable timers has its own <see cref="TimerService"/>, even if several share a process. It drives
/// <see cref="IGrainDelay"/>, grain timers, reminders, durable jobs, the delays of transaction confirmation, and all
/// code that uses it directly. Orleans checks for response timeouts more often than once a second and, with the package
/// for transactions, a timer wheel serves their static timers. <see cref="OrleansTimerOptions"/> can turn off each of
/// these. A client has one service for its program, and also checks for response timeouts more often.
/// </para>
/// <para>
/// <b>Cost.</b> Nothing for a call, because no call filter is registered. A silo listens to Orleans' grain lifecycle
/// events, which costs a few small objects for each activation and deactivation.
/// </para>
/// <para>
/// <b>Accuracy.</b> Like <see cref="TimerService"/>: never early, about one resolution late. Nothing changes for
/// membership, the grain directory and other parts that use the unkeyed <see cref="TimeProvider"/> or another key. A
/// clock of your own that tells another time of day or zone is still read. One that also makes timers or timestamps
/// stays in use for them too, as does one that you register for a key after this call, and the log warns of it.
/// </para>
/// <para>
/// <b>Threads.</b> Call these methods while the silo or client is being configured. Calling twice registers once, but
/// applies both configurations.
/// </para>
/// </remarks>
public static class ScalableTimersBuilderExtensions
{
    /// <summary>Adds scalable timers.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configure">Sets options. A value out of range keeps the silo from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddScalableTimers(
        this ISiloBuilder builder, Action<TimerServiceOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        AddToSilo(builder.Services);
        return configure is null ? builder : builder.Configure(configure);
    }

    /// <summary>Adds scalable timers.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="configure">Sets options. A value out of range keeps the client from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddScalableTimers(
        this IClientBuilder builder, Action<TimerServiceOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        AddService<ClientMessagingOptions>(builder.Services);
        return configure is null ? builder : builder.Configure(configure);
    }

    private static void AddToSilo(IServiceCollection services)
    {
        AddService<SiloMessagingOptions>(services);
        if (services.Any(static service => service.ServiceType == typeof(KeyedClocks)))
        {
            return;
        }

        KeyedClocks.AddTo(services);
        ActivationDelays.AddTo(services);
        TransactionSupport.Instance.AddToSilo(services);
    }

    private static void AddService<TMessagingOptions>(IServiceCollection services)
        where TMessagingOptions : MessagingOptions
    {
        if (services.Any(static service => service.ServiceType == typeof(StartReport)))
        {
            return;
        }

        services.Validate<TimerServiceOptions>(static options => options.Errors());
        ConfiguredOptions<OrleansTimerOptions>.AddTo(services);
        ConfiguredOptions<TimerServiceOptions>.AddTo(services);
        services.AddSingleton<IPostConfigureOptions<TimerServiceOptions>, TimerServiceName>();
        ScalableTimersServiceCollectionExtensions.LogExceptionsByDefault(services);
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, TimerServiceHost>());

        // Replaces a service that was added to the container alone: this one uses the silo's clock, and its errors stop
        // the silo.
        services.RemoveAll<TimerService>();
        services.AddSingleton(CreateService);
        services.AddSingleton(static services => CallTimers.Of(services.GetRequiredService<TimerService>()));
        services.AddSingleton(static services => services.GetRequiredService<CallTimers>().Stalls);

        MessagingClock.AddTo<TMessagingOptions>(services);
        LifecycleParticipant.AddTo<ResponseTimeoutLifecycle>(services);
        LifecycleParticipant.AddTo<StartReport>(services);
    }

    private static TimerService CreateService(IServiceProvider services)
    {
        // May run before Orleans validates its configuration, because other services may ask for this one.
        var options = OptionErrors.Read(services.GetRequiredService<IOptions<TimerServiceOptions>>());
        OptionErrors.Refuse(options.Errors());
        try
        {
            var service = new TimerService(
                options,
                services.GetService<ILogger<TimerService>>(),
                KeyedClocks.ServiceClock(services),
                services.GetService<IMeterFactory>())
            {
                IsOfAContainer = true,
            };
            var isOff = !OptionErrors.Read(services.GetRequiredService<IOptions<OrleansTimerOptions>>()).Enabled;
            CallTimers.Attach(new CallTimers(service, Stalls.Of(service), services, isOff));
            return service;
        }
        catch (ArgumentException unfit)
        {
            throw new OrleansConfigurationException(unfit.Message, unfit);
        }
    }
}
