using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ScalableTimers.HealthChecks;

/// <summary>Adds a health check of the <see cref="TimerService"/> of a host.</summary>
public static class ScalableTimersHealthChecksBuilderExtensions
{
    /// <summary>
    /// Adds a check that schedules a timer and reports how late it is, and whether timers have had to wait for a pool
    /// thread since the last check.
    /// </summary>
    /// <param name="builder">Where to add the check. The host needs <c>AddScalableTimers</c>.</param>
    /// <param name="configure">Sets how late a timer may be.</param>
    /// <param name="name">The name of the check.</param>
    /// <param name="failureStatus">
    /// What is reported when a timer does not fire; null for <see cref="HealthStatus.Unhealthy"/>.
    /// </param>
    /// <param name="tags">Tags to select checks by.</param>
    /// <returns><paramref name="builder"/>.</returns>
    /// <exception cref="ArgumentException">An option is out of its range.</exception>
    /// <remarks>
    /// <b>Cost.</b> A timer of the service and one of .NET a check, and what a snapshot costs. <b>Duration.</b> Two
    /// resolutions at most if timers fire, and at most <see cref="TimerHealthOptions.UnhealthyLateness"/> more if they
    /// do not.
    /// <b>Threads.</b> Checks may overlap. Time is read from the service's clock, so where a test advances that clock,
    /// checks end when it does.
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

        // One check for all calls, because it compares with the one before. The same services may serve several hosts.
        var checks = new ConditionalWeakTable<TimerService, TimerServiceHealthCheck>();
        return builder.Add(new HealthCheckRegistration(
            name,
            services => checks.GetValue(services.GetRequiredService<TimerService>(), timers => new(timers, options)),
            failureStatus,
            tags));
    }
}
