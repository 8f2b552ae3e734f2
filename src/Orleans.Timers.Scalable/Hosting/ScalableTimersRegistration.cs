using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Timers.Internal;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>What the builder extensions register.</summary>
internal static class ScalableTimersRegistration
{
    internal static void AddToSilo(IServiceCollection services)
    {
        AddService(services);
        if (services.Any(static service => service.ServiceType == typeof(KeyedClocks)))
        {
            return;
        }

        services.AddSingleton(KeyedClocks.AddTo(services));
        services.Replace(ServiceDescriptor.Singleton<ITimerManager, ScalableTimerManager>());
        services.AddSingleton<ActivationDelays>();
        services.AddScoped<IGrainDelay, GrainDelay>();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>, TimerServiceLifecycle>();
        services.AddSingleton<IHealthCheckParticipant>(static services => new TimerServiceHealth(
            services.GetRequiredService<TimerService>(),
            KeyedClocks.KeepsSystemTime(services)));
        MessagingClock.AddToSilo(services);
        ConfirmationRetry.AddDefault(services);
        TransactionPhasesRegistration.AddDeadlines(services);
    }

    internal static void AddToClient(IServiceCollection services)
    {
        AddService(services);
        MessagingClock.AddToClient(services);
    }

    private static void AddService(IServiceCollection services)
    {
        if (services.Any(static service => service.ServiceType == typeof(StartReport)))
        {
            return;
        }

        OptionsValidator<ScalableTimerOptions>.AddTo(services, static options => options.Errors());
        services.AddSingleton<IPostConfigureOptions<ScalableTimerOptions>, TimerServiceName>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, TimerServiceHost>());

        // Replaces a service that was added to the bare container, so that it uses the silo's clock and its errors stop
        // the silo.
        services.RemoveAll<TimerService>();
        services.AddSingleton(CreateService);

        services.AddLifecycleParticipant<StaticTimersLifecycle>();
        services.AddLifecycleParticipant<ResponseTimeoutLifecycle>();
        services.AddLifecycleParticipant<StartReport>();
    }

    private static TimerService CreateService(IServiceProvider services)
    {
        // Perhaps before Orleans validates its configuration, because other services may ask for this one.
        var options = OptionErrors.Read(services.GetRequiredService<IOptions<ScalableTimerOptions>>());
        OptionErrors.Refuse(options.Errors());
        try
        {
            return new TimerService(
                options,
                KeyedClocks.ServiceClock(services),
                services.GetService<ILogger<TimerService>>(),
                services.GetService<IMeterFactory>());
        }
        catch (ArgumentException unfit)
        {
            throw new OrleansConfigurationException(unfit.Message, unfit);
        }
    }
}
