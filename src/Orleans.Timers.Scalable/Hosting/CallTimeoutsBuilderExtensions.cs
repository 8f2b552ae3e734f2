using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>
/// Adds timeouts that are chosen at run time for the calls of a stretch of code; see <see cref="CallTimeout"/>.
/// </summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Two call filters. With any filter Orleans takes a longer path for each call, and these two look at
/// every call that the silo or client makes or gets. For single calls <see cref="CallTimeoutExtensions"/> needs no
/// filter. Scalable timers are added if they have not been.
/// </para>
/// <para>
/// <b>Order.</b> The outgoing filter is in front of all others, wherever this method is called. So a timeout also
/// bounds the time that other filters take. A silo or client with another filter in front of it does not start.
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
        CallTimeoutsRegistration.AddTo(builder.Services);
        return builder;
    }

    /// <summary>Makes <see cref="CallTimeout"/> work for the calls that this client makes.</summary>
    /// <param name="builder">The client.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddCallTimeouts(this IClientBuilder builder)
    {
        builder.AddScalableTimers();
        CallTimeoutsRegistration.AddTo(builder.Services);
        return builder;
    }
}
