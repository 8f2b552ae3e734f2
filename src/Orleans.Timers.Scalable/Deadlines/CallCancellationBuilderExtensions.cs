using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Deadlines;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Hosting;

/// <summary>
/// Adds deadlines that travel with calls, and cancels the tokens of grain methods; see <see cref="CallDeadline"/>.
/// </summary>
/// <remarks>
/// <para>
/// Add it to every silo that should read deadlines and pass them on, and to clients that begin deadlines. It adds
/// scalable timers too, unless they have been added. A silo without it passes on what it received, unchanged. A silo
/// with it also cancels the token that a grain method takes when its caller's time is up, which is the response timeout
/// if there is no deadline, and when the activation begins to deactivate. <see cref="OrleansTimerOptions"/> can turn
/// off each.
/// </para>
/// <para>
/// <b>Cost.</b> Four call filters. Any filter makes Orleans take a longer path for each call; these four add little
/// to that (see <c>docs/deadlines.md</c>). A call whose method takes a token costs a small object, a timer and a
/// registration more. <b>Order.</b> Filters run in registration order, so call these methods after adding the
/// application's own filters. The time that later filters take is not counted: calls get deadlines that are too long,
/// and requests may run after their deadline has passed. <b>Threads.</b> Call these methods while the silo or client is
/// being configured. Further calls have no effect.
/// </para>
/// </remarks>
public static class CallCancellationBuilderExtensions
{
    /// <summary>Adds deadline propagation.</summary>
    /// <param name="builder">The silo.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallCancellation(this ISiloBuilder builder)
    {
        builder.AddScalableTimers();
        AddTo(builder.Services);
        return builder;
    }

    /// <summary>Adds deadline propagation.</summary>
    /// <param name="builder">The client.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddCallCancellation(this IClientBuilder builder)
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
            services.AddSingleton(new LostWhenOff("deadlines are neither sent nor read, nor cancel tokens"));
        }

        TransactionSupport.Instance.AddCallFilters(services);
    }
}
