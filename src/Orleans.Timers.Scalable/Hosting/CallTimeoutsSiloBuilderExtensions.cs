using Orleans.Timers.Scalable;

namespace Orleans.Hosting;

/// <summary>Adds timeouts that are chosen at run time for the calls of a stretch of code; see <see cref="CallTimeout"/>.</summary>
/// <remarks>
/// <b>Cost.</b> A call filter. Orleans calls a grain by a longer way as soon as there is any filter, and this one
/// looks at every call that the silo makes. For single calls <see cref="CallTimeoutExtensions"/> needs neither.
/// </remarks>
public static class CallTimeoutsSiloBuilderExtensions
{
    /// <summary>Makes <see cref="CallTimeout"/> work for the calls that this silo makes. Adds scalable timers, if they have not been added.</summary>
    /// <param name="builder">The silo.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static ISiloBuilder AddCallTimeouts(this ISiloBuilder builder)
    {
        builder.AddScalableTimers();
        CallTimeoutsRegistration.AddTo(builder.Services);
        return builder;
    }
}
