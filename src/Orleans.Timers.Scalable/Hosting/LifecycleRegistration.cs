using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable;

/// <summary>Registers services that take part in the lifecycle of the silo or client they belong to.</summary>
internal static class LifecycleRegistration
{
    internal static void AddLifecycleParticipant<T>(this IServiceCollection services)
        where T : class, ILifecycleParticipant<ISiloLifecycle>, ILifecycleParticipant<IClusterClientLifecycle>
    {
        services.AddSingleton<T>();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(
            static services => services.GetRequiredService<T>());
        services.AddSingleton<ILifecycleParticipant<IClusterClientLifecycle>>(
            static services => services.GetRequiredService<T>());
    }
}
