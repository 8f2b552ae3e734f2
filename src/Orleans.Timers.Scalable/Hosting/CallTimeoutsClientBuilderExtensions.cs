using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>Adds timeouts that are chosen at run time for the calls of a stretch of code; see <see cref="CallTimeout"/>.</summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Two call filters. Orleans calls a grain by a longer way as soon as there is any filter, and these look
/// at every call that the client makes or gets. For single calls <see cref="CallTimeoutExtensions"/> needs neither.
/// </para>
/// <para>
/// <b>Order.</b> The outgoing one is outside of all other filters, wherever this is called: a timeout bounds what those do
/// about a call, too. A client in which another filter has been put in front of it does not start.
/// </para>
/// </remarks>
public static class CallTimeoutsClientBuilderExtensions
{
    /// <summary>Makes <see cref="CallTimeout"/> work for the calls that this client makes. Adds scalable timers, if they have not been added.</summary>
    /// <param name="builder">The client.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddCallTimeouts(this IClientBuilder builder)
    {
        builder.AddScalableTimers();
        CallTimeoutsRegistration.AddTo(builder.Services);
        return builder;
    }
}
