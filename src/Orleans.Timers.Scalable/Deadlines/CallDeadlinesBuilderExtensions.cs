using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Hosting;

/// <summary>Adds deadline propagation to a silo or client; see <see cref="CallDeadline"/>.</summary>
/// <remarks>
/// <para>
/// Add it to every silo that should read deadlines and pass them on, and to clients that begin deadlines. A silo
/// without it passes on what it received, unchanged.
/// </para>
/// <para>
/// <b>Cost.</b> Four call filters. Any filter makes Orleans take a longer path for each call; these four add little
/// to that (see <c>docs/deadlines.md</c>). Adds scalable timers too, unless they have been added. <b>Order.</b> Filters
/// run in registration order, so call these methods after adding the application's own filters. The plugin's filters
/// cannot count the time that later filters take. If one waits or calls again, it sends a deadline that is too long,
/// and lets requests run after their deadline has passed. <b>Threads.</b> Call these methods while the silo or client
/// is being configured. Further calls have no effect.
/// </para>
/// </remarks>
public static class CallDeadlinesBuilderExtensions
{
    /// <summary>Adds deadline propagation.</summary>
    /// <param name="builder">The silo.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallDeadlines(this ISiloBuilder builder)
    {
        builder.AddScalableTimers();
        AddTo(builder.Services);
        return builder;
    }

    /// <summary>Adds deadline propagation.</summary>
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
        CallDeadline.IsAdded = true;
        if (!services.Any(static service => service.ServiceType == typeof(CallDeadlines)))
        {
            services.AddSingleton<CallDeadlines>();
            services.AddSingleton<IOutgoingGrainCallFilter, OutgoingDeadlineFilter>();
            services.AddSingleton<IIncomingGrainCallFilter, IncomingDeadlineFilter>();
        }

        TransactionSupport.Instance.AddCallFilters(services);
    }
}
