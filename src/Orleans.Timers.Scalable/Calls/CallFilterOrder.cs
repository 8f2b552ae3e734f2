using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable;

/// <summary>Looks, when a silo or client starts, where a call filter of ours stands among the others.</summary>
/// <remarks>Not before: others may be registered until then.</remarks>
internal abstract class CallFilterOrder : ILifecycleParticipant<ISiloLifecycle>, ILifecycleParticipant<IClusterClientLifecycle>
{
    public void Participate(ISiloLifecycle lifecycle) => Subscribe(lifecycle);

    public void Participate(IClusterClientLifecycle lifecycle) => Subscribe(lifecycle);

    internal static void Add<T>(IServiceCollection services)
        where T : CallFilterOrder
    {
        services.AddSingleton<T>();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(static services => services.GetRequiredService<T>());
        services.AddSingleton<ILifecycleParticipant<IClusterClientLifecycle>>(static services => services.GetRequiredService<T>());
    }

    /// <exception cref="OrleansConfigurationException">It must not start like this.</exception>
    protected abstract void Check();

    private void Subscribe(ILifecycleObservable lifecycle) => lifecycle.Subscribe(
        GetType().Name,
        ServiceLifecycleStage.RuntimeInitialize,
        _ =>
        {
            Check();
            return Task.CompletedTask;
        },
        static _ => Task.CompletedTask);
}
