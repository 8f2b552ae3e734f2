using System.Runtime.CompilerServices;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>Adds the propagation of deadlines to a client; see <see cref="GrainDeadline"/>.</summary>
/// <remarks>
/// <para>
/// A client refuses to send calls whose deadline has passed, and sends the remaining time along with the others.
/// </para>
/// <para>
/// <b>Cost.</b> Three call filters. With any filter Orleans takes a longer path for each call; these three add little
/// to it (see <c>docs/deadlines.md</c>). Scalable timers are added if they have not been. <b>Order.</b> Filters run in
/// the order of their registration, so call these methods after the application's own filters are added. The plugin's
/// filters measure the remaining time at their own place. If a filter behind them waits or calls again, it sends a
/// deadline that has become too long, and lets requests run whose deadline has passed. When a client starts with such a
/// filter, it logs a warning with the filter's name. <b>Threads.</b> Call these methods while the client is being
/// configured. Calling twice configures twice and registers once.
/// </para>
/// </remarks>
public static class CallDeadlinesClientBuilderExtensions
{
    /// <summary>Adds the propagation of deadlines with its default options.</summary>
    /// <param name="builder">The client.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddCallDeadlines(this IClientBuilder builder) =>
        builder.AddCallDeadlines(static (OptionsBuilder<CallDeadlineOptions> _) => { });

    /// <summary>Adds the propagation of deadlines.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="configureOptions">Sets options. A value out of its range keeps the client from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    [OverloadResolutionPriority(1)]
    public static IClientBuilder AddCallDeadlines(
        this IClientBuilder builder, Action<CallDeadlineOptions> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(configureOptions);
        return builder.AddCallDeadlines(
            (OptionsBuilder<CallDeadlineOptions> options) => options.Configure(configureOptions));
    }

    /// <summary>Adds the propagation of deadlines.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="configureOptions">
    /// Sets options, for instance by binding them to configuration. A value out of its range keeps the client from
    /// starting.
    /// </param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddCallDeadlines(
        this IClientBuilder builder, Action<OptionsBuilder<CallDeadlineOptions>> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configureOptions);
        ScalableTimersRegistration.AddToClient(builder.Services);
        configureOptions(CallDeadlinesRegistration.AddTo(builder.Services));
        return builder;
    }
}
