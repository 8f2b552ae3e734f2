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
    /// <param name="builder">The builder to add the check to. The host needs <c>AddScalableTimers</c>.</param>
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

        // One instance serves all calls: it compares with the previous one. Several hosts may share a registration.
        var checks = new ConditionalWeakTable<TimerService, TimerServiceHealthCheck>();
        return builder.Add(new HealthCheckRegistration(
            name,
            services => checks.GetValue(services.GetRequiredService<TimerService>(), timers => new(timers, options)),
            failureStatus,
            tags));
    }
}
