using System.Runtime.CompilerServices;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>Adds the propagation of deadlines to a silo; see <see cref="GrainDeadline"/>.</summary>
/// <remarks>
/// <para>
/// Add it to each silo that shall read deadlines and pass them on, and to clients that begin deadlines. A silo without
/// it passes on unchanged what it got.
/// </para>
/// <para>
/// <b>Cost.</b> Three call filters. With any filter Orleans takes a longer path for each call; these three add little
/// to it (see <c>docs/deadlines.md</c>). Scalable timers are added if they have not been. <b>Order.</b> Filters run in
/// the order of their registration, so call these methods after the application's own filters are added. The plugin's
/// filters measure the remaining time at their own place. If a filter behind them waits or calls again, it sends a
/// deadline that has become too long, and lets requests run whose deadline has passed. When a silo starts with such a
/// filter, it logs a warning with the filter's name. <b>Threads.</b> Call these methods while the silo is being
/// configured. Calling twice configures twice and registers once.
/// </para>
/// </remarks>
public static class CallDeadlinesSiloBuilderExtensions
{
    /// <summary>Adds the propagation of deadlines with its default options.</summary>
    /// <param name="builder">The silo.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallDeadlines(this ISiloBuilder builder) =>
        builder.AddCallDeadlines(static (OptionsBuilder<CallDeadlineOptions> _) => { });

    /// <summary>Adds the propagation of deadlines.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configureOptions">Sets options. A value out of its range keeps the silo from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    [OverloadResolutionPriority(1)]
    public static ISiloBuilder AddCallDeadlines(this ISiloBuilder builder, Action<CallDeadlineOptions> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(configureOptions);
        return builder.AddCallDeadlines(
            (OptionsBuilder<CallDeadlineOptions> options) => options.Configure(configureOptions));
    }

    /// <summary>Adds the propagation of deadlines.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configureOptions">
    /// Sets options, for instance by binding them to configuration. A value out of its range keeps the silo from
    /// starting.
    /// </param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallDeadlines(
        this ISiloBuilder builder, Action<OptionsBuilder<CallDeadlineOptions>> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configureOptions);
        ScalableTimersRegistration.AddToSilo(builder.Services);
        configureOptions(CallDeadlinesRegistration.AddTo(builder.Services));
        return builder;
    }
}
