using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>Names the timer service of a silo or client, unless it already has a name.</summary>
internal sealed class TimerServiceName(IServiceProvider services) : IPostConfigureOptions<TimerServiceOptions>
{
    public void PostConfigure(string? name, TimerServiceOptions options)
    {
        // The program may have named options for other services.
        if (name == Options.DefaultName)
        {
            options.Name ??= Host(services);
        }
    }

    /// <summary>The name of the silo that the services belong to, or "client".</summary>
    internal static string Host(IServiceProvider services) =>
        services.GetService<ILocalSiloDetails>()?.Name ?? "client";
}
