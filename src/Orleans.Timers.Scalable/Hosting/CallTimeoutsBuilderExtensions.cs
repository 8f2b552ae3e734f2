using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Hosting;

/// <summary>
/// Adds timeouts, chosen at run time, for the calls in a block of code; see <see cref="CallTimeout"/>.
/// </summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Three call filters. Any filter makes Orleans take a longer path for each call, and these look at
/// every call that the silo or client makes or receives. For single calls, <see cref="CallTimeoutExtensions"/> needs no
/// filter. Adds scalable timers too, unless they have been added.
/// </para>
/// <para>
/// <b>Order.</b> The outgoing filter goes in front of all others, no matter when this method is called. So a timeout
/// also covers the time that other filters take. A silo or client with another filter in front of it does not start.
/// </para>
/// </remarks>
public static class CallTimeoutsBuilderExtensions
{
    /// <summary>Makes <see cref="CallTimeout"/> work for the calls that this silo makes.</summary>
    /// <param name="builder">The silo.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallTimeouts(this ISiloBuilder builder)
    {
        builder.AddScalableTimers();
        AddTo(builder.Services);
        return builder;
    }

    /// <summary>Makes <see cref="CallTimeout"/> work for the calls that this client makes.</summary>
    /// <param name="builder">The client.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddCallTimeouts(this IClientBuilder builder)
    {
        builder.AddScalableTimers();
        AddTo(builder.Services);
        return builder;
    }

    internal static void AddTo(IServiceCollection services)
    {
        CallTimeout.IsAdded = true;
        TransactionSupport.Instance.AddCallFilters(services);

        // The first registered filter is the outermost, so this one goes in front of all others. It moves there again
        // if another filter has been put in front since.
        var added = services.FirstOrDefault(static service => service.ImplementationType == typeof(CallTimeoutFilter));
        if (added is not null)
        {
            services.Remove(added);
            services.Insert(0, added);
            return;
        }

        services.Insert(0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, CallTimeoutFilter>());
        LifecycleParticipant.AddTo<CallTimeoutOrder>(services);
        services.AddSingleton(new LostWhenOff("CallTimeout bounds no call"));
    }
}
