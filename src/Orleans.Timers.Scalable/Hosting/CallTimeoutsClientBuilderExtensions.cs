using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>Adds timeouts that are chosen at run time for the calls of a stretch of code; see <see cref="CallTimeout"/>.</summary>
/// <remarks>
/// <b>Cost.</b> A call filter. Orleans calls a grain by a longer way as soon as there is any filter, and this one
/// looks at every call that the client makes. For single calls <see cref="CallTimeoutExtensions"/> needs neither.
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
