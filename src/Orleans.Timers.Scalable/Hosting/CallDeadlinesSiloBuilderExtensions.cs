using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>Adds the propagation of deadlines to a silo; see <see cref="GrainDeadline"/>.</summary>
/// <remarks>
/// <para>
/// Add it to each silo that is to read and hand on deadlines, and to clients that begin them. A silo without it hands on what it got,
/// unchanged.
/// </para>
/// <para>
/// <b>Cost.</b> Three call filters. Any filter costs every call, because Orleans then takes another path; these add little to it, see
/// <c>docs/deadlines.md</c>. Scalable timers are added if they have not been. <b>Order.</b> The filters run in the order of their
/// registration among others, so call these after the application's own filters are added. What is left is measured where ours stand: one behind them
/// that waits or calls again sends a deadline that has become too long, and lets requests run whose deadline has passed. A silo that starts with such a
/// filter logs a warning that names it. <b>Threads.</b> Call these while the silo is being configured; calling twice configures twice and
/// registers once.
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
    /// <param name="configureOptions">Sets options. One that is out of its range keeps the silo from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallDeadlines(this ISiloBuilder builder, Action<CallDeadlineOptions> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(configureOptions);
        return builder.AddCallDeadlines((OptionsBuilder<CallDeadlineOptions> options) => options.Configure(configureOptions));
    }

    /// <summary>Adds the propagation of deadlines.</summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configureOptions">Sets options, for instance by binding them to configuration. One that is out of its range keeps the silo from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallDeadlines(this ISiloBuilder builder, Action<OptionsBuilder<CallDeadlineOptions>> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configureOptions);
        ScalableTimersRegistration.AddToSilo(builder.Services);
        configureOptions(CallDeadlinesRegistration.AddTo(builder.Services));
        return builder;
    }
}
