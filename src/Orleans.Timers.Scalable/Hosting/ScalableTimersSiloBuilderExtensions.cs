using System.Runtime.CompilerServices;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable;
using ScalableTimers;

namespace Orleans.Hosting;

/// <summary>Adds scalable timers to a silo.</summary>
/// <remarks>
/// <para>
/// A silo with scalable timers has one <see cref="TimerService"/>. It drives <see cref="IGrainDelay"/>, grain timers,
/// reminders, durable jobs, the delays of transaction confirmation, and all code that uses it directly. Each of several
/// silos in one process has a service of its own. Orleans looks for response timeouts more often than once a second,
/// and a wheel serves the static timers of its transactions; <see cref="OrleansTimerOptions"/> has both.
/// </para>
/// <para>
/// <b>Cost.</b> Nothing for a call, because no call filter is registered. The silo listens to Orleans' grain lifecycle
/// events, which costs a few small objects for each activation and its deactivation.
/// </para>
/// <para>
/// <b>Accuracy.</b> As <see cref="TimerService"/>: never early, and late by about one resolution. Nothing changes for
/// membership, the grain directory and other parts that use the unkeyed <see cref="TimeProvider"/> or another key. A
/// clock that you have registered for a key, or in place of the system's, stays in use too, and the log says so.
/// </para>
/// <para>
/// <b>Order.</b> Delays end before the silo deactivates its grains. The service is disposed with the container.
/// </para>
/// <para>
/// <b>Threads.</b> Call these methods while the silo is being configured. Calling twice configures twice and registers
/// once.
/// </para>
/// </remarks>
public static class ScalableTimersSiloBuilderExtensions
{
    /// <summary>Adds scalable timers with their default options.</summary>
    /// <param name="builder">The silo.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddScalableTimers(this ISiloBuilder builder) =>
        builder.AddScalableTimers(static (OptionsBuilder<ScalableTimerOptions> _) => { });

    /// <summary>Adds scalable timers.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configureOptions">Sets options. A value out of its range keeps the silo from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    [OverloadResolutionPriority(1)]
    public static ISiloBuilder AddScalableTimers(
        this ISiloBuilder builder, Action<ScalableTimerOptions> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(configureOptions);
        return builder.AddScalableTimers(
            (OptionsBuilder<ScalableTimerOptions> options) => options.Configure(configureOptions));
    }

    /// <summary>Adds scalable timers.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configureOptions">
    /// Sets options, for instance by binding them to configuration. A value out of its range keeps the silo from
    /// starting.
    /// </param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddScalableTimers(
        this ISiloBuilder builder, Action<OptionsBuilder<ScalableTimerOptions>> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configureOptions);
        configureOptions(ScalableTimersRegistration.AddToSilo(builder.Services));
        return builder;
    }
}
