using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace ScalableTimers;

/// <summary>Registers a <see cref="TimerService"/> with a host.</summary>
public static class ScalableTimersServiceCollectionExtensions
{
    // Without it, a container that resolves a circle of factories recurses until it hangs or overflows its stack.
    [ThreadStatic]
    private static IServiceProvider? s_asksForClock;

    /// <summary>
    /// Adds one <see cref="TimerService"/>, which stops with the host and is disposed with the container.
    /// </summary>
    /// <param name="services">
    /// The services to add it to. Adding twice configures twice but registers once; keyed services do not count.
    /// </param>
    /// <param name="configure">Sets options. If one is out of range, the host fails to start.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <remarks>
    /// The service's clock is the container's <see cref="TimeProvider"/> or, if there is none, the system clock.
    /// </remarks>
    public static IServiceCollection AddScalableTimers(
        this IServiceCollection services, Action<ScalableTimerOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        var options = services.AddOptions<ScalableTimerOptions>();
        if (configure is not null)
        {
            options.Configure(configure);
        }

        if (services.Any(static service => service.ServiceType == typeof(TimerService) && !service.IsKeyedService))
        {
            return services;
        }

        options.ValidateOnStart();
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IValidateOptions<ScalableTimerOptions>, ScalableTimerOptionsValidator>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, TimerServiceHost>());
        services.AddSingleton(static provider => new TimerService(
            provider.GetRequiredService<IOptions<ScalableTimerOptions>>().Value,
            ClockOf(provider, static provider => provider.GetService<TimeProvider>()),
            provider.GetService<ILogger<TimerService>>(),
            provider.GetService<IMeterFactory>()));
        return services;
    }

    /// <summary>The container's clock, or null. Throws if the clock is made by the service that asks for it.</summary>
    internal static TimeProvider? ClockOf(
        IServiceProvider provider, Func<IServiceProvider, TimeProvider?> resolve)
    {
        if (ReferenceEquals(s_asksForClock, provider))
        {
            throw new InvalidOperationException(
                "The TimeProvider that is registered comes from the TimerService, whose clock it would also be. "
                + "Register it under a key.");
        }

        var outer = s_asksForClock;
        s_asksForClock = provider;
        try
        {
            return resolve(provider);
        }
        finally
        {
            s_asksForClock = outer;
        }
    }
}
