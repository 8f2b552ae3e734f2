using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Deadlines;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Hosting;

/// <summary>Adds the propagation of deadlines to a silo or client; see <see cref="GrainDeadline"/>.</summary>
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
/// deadline that has become too long, and lets requests run whose deadline has passed. A silo or client that starts
/// with such a filter logs a warning with the filter's name. <b>Threads.</b> Call these methods while the silo or
/// client is being configured. Calling twice registers once.
/// </para>
/// </remarks>
public static class CallDeadlinesBuilderExtensions
{
    private static volatile bool s_isAdded;

    /// <summary>Adds the propagation of deadlines.</summary>
    /// <param name="builder">The silo.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallDeadlines(this ISiloBuilder builder)
    {
        builder.AddScalableTimers();
        AddTo(builder.Services);
        return builder;
    }

    /// <summary>Adds the propagation of deadlines.</summary>
    /// <param name="builder">The client.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddCallDeadlines(this IClientBuilder builder)
    {
        builder.AddScalableTimers();
        AddTo(builder.Services);
        return builder;
    }

    internal static void AddTo(IServiceCollection services)
    {
        s_isAdded = true;
        if (!services.Any(static service => service.ServiceType == typeof(CallDeadlines)))
        {
            services.AddSingleton<CallDeadlines>();
            services.AddSingleton<IOutgoingGrainCallFilter, OutgoingDeadlineFilter>();
            services.AddSingleton<IIncomingGrainCallFilter, IncomingDeadlineFilter>();
            TransactionSupport.Instance.AddCallFilter(services);
            LifecycleParticipant.AddTo<CallDeadlineOrder>(services);
        }
    }

    /// <exception cref="InvalidOperationException">No silo or client of this process propagates deadlines.</exception>
    internal static void ThrowIfNotAdded()
    {
        if (!s_isAdded)
        {
            throw new InvalidOperationException(
                "No silo or client of this process has called AddCallDeadlines, so a deadline would bound no call. "
                    + "Call it where the silo or client is configured.");
        }
    }
}
