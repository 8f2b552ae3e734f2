using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ScalableTimers.HealthChecks;

/// <summary>Adds a health check for a host's <see cref="TimerService"/>.</summary>
public static class ScalableTimersHealthChecksBuilderExtensions
{
    /// <summary>
    /// Adds a check that schedules a timer and reports how late it is, and whether timers have had to wait for a pool
    /// thread since the last check.
    /// </summary>
    /// <param name="builder">
    /// The builder to add the check to. Without a <see cref="TimerService"/> in the container, the host fails to start:
    /// call <c>services.AddScalableTimers()</c>, before or after.
    /// </param>
    /// <param name="configure">Sets how late a timer may be.</param>
    /// <param name="name">The name of the check.</param>
    /// <param name="failureStatus">
    /// The status to report when a timer does not fire; null for <see cref="HealthStatus.Unhealthy"/>.
    /// </param>
    /// <param name="tags">Tags to select checks by.</param>
    /// <returns><paramref name="builder"/>.</returns>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <remarks>
    /// <b>Cost.</b> Each check takes one timer of the service, one of .NET's, and one snapshot. <b>Duration.</b> At
    /// most two resolutions if timers fire, and at most <see cref="TimerHealthOptions.UnhealthyLateness"/> more if they
    /// do not.
    /// <b>Threads.</b> Checks may overlap. They read the service's clock, so if a test controls that clock, they end
    /// when the test advances it.
    /// </remarks>
    public static IHealthChecksBuilder AddScalableTimers(
        this IHealthChecksBuilder builder,
        Action<TimerHealthOptions>? configure = null,
        string name = "scalable_timers",
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        var options = new TimerHealthOptions();
        configure?.Invoke(options);
        if (string.Join(' ', options.Errors()) is { Length: > 0 } errors)
        {
            throw new ArgumentException(errors, nameof(configure));
        }

        RequireService(builder.Services);

        // One instance serves all calls: it compares with the previous one. Several hosts may share a registration.
        var checks = new ConditionalWeakTable<TimerService, TimerServiceHealthCheck>();
        return builder.Add(new HealthCheckRegistration(
            name,
            services => checks.GetValue(services.GetRequiredService<TimerService>(), timers => new(timers, options)),
            failureStatus,
            tags));
    }
    // Otherwise the first probe would be the first to find out. A container that cannot tell is not asked.
    private static void RequireService(IServiceCollection services)
    {
        if (!services.Any(static service => service.ServiceType == typeof(RequiredService)))
        {
            services.AddSingleton<RequiredService>();
            services.AddOptions<HealthCheckServiceOptions>()
                .Validate<IServiceProvider>(
                    static (_, provider) =>
                        provider.GetService<IServiceProviderIsService>()?.IsService(typeof(TimerService)) ?? true,
                    "The health check needs a TimerService. Call services.AddScalableTimers().")
                .ValidateOnStart();
        }
    }

    /// <summary>Marks a container in which the service is already required.</summary>
    private sealed class RequiredService;
}
