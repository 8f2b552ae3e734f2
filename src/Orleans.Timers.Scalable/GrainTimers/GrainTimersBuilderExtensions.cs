using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers;
using Orleans.Timers.Scalable;
using Orleans.Timers.Scalable.GrainTimers;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Hosting;

/// <summary>Measures the timers of grains in a silo, and tells of ticks that take too long.</summary>
/// <remarks>
/// <para>
/// The meter <c>Orleans.Timers.Scalable</c> gets the histograms <c>scalable_timers.grain_timer.lateness</c> and
/// <c>scalable_timers.grain_timer.duration</c>, in seconds, and the counters
/// <c>scalable_timers.grain_timer.overruns</c> and <c>scalable_timers.grain_timer.cancelled</c>. Their tags are
/// <c>grain_type</c> and <c>silo</c>. Lateness includes the wait for the grain's turn.
/// </para>
/// <para>
/// A tick that never ends stops its timer in silence. Here a tick that runs for several periods is logged while it
/// runs; <see cref="GrainTimerOptions"/> says when, and may cancel its token.
/// </para>
/// <para>
/// <b>Cost.</b> About half a microsecond a tick, and two objects for each timer. Scalable timers are added if they have
/// not been. <b>Threads.</b> Call this method while the silo is being configured. Calling twice configures twice and
/// registers once.
/// </para>
/// </remarks>
public static class GrainTimersBuilderExtensions
{
    /// <summary>Measures the timers of grains.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configure">Sets options. A value out of its range keeps the silo from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder MeasureGrainTimers(
        this ISiloBuilder builder, Action<GrainTimerOptions>? configure = null)
    {
        builder.AddScalableTimers();
        var services = builder.Services;
        if (!services.Any(static service => service.ServiceType == typeof(GrainTimerMetrics)))
        {
            services.Validate<GrainTimerOptions>(static options => options.Errors());
            services.AddSingleton<GrainTimerMetrics>();
            services.Decorate<ITimerRegistry>(null, static (registry, services) =>
                new MeasuredTimerRegistry(registry, services.GetRequiredService<GrainTimerMetrics>()));
        }

        return configure is null ? builder : builder.Configure(configure);
    }
}
