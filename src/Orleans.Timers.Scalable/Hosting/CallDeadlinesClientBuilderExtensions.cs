using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>Adds the propagation of deadlines to a client; see <see cref="GrainDeadline"/>.</summary>
/// <remarks>
/// <para>A client refuses to send calls whose deadline has passed, and tells silos what is left of the others' time.</para>
/// <para>
/// <b>Cost.</b> Three call filters. Any filter costs every call, because Orleans then takes another path; these add little to it, see
/// <c>docs/deadlines.md</c>. Scalable timers are added if they have not been. <b>Order.</b> The filters run in the order of their
/// registration among others, so call these after the application's own filters are added. What is left is measured where ours stand: one behind them
/// that waits or calls again sends a deadline that has become too long, and lets requests run whose deadline has passed. A client that starts with such a
/// filter logs a warning that names it. <b>Threads.</b> Call these while the client is being configured; calling twice configures twice and
/// registers once.
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
    /// <param name="configureOptions">Sets options. One that is out of its range keeps the client from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddCallDeadlines(this IClientBuilder builder, Action<CallDeadlineOptions> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(configureOptions);
        return builder.AddCallDeadlines((OptionsBuilder<CallDeadlineOptions> options) => options.Configure(configureOptions));
    }

    /// <summary>Adds the propagation of deadlines.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="configureOptions">Sets options, for instance by binding them to configuration. One that is out of its range keeps the client from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddCallDeadlines(this IClientBuilder builder, Action<OptionsBuilder<CallDeadlineOptions>> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configureOptions);
        ScalableTimersRegistration.AddToClient(builder.Services);
        configureOptions(CallDeadlinesRegistration.AddTo(builder.Services));
        return builder;
    }
}
