using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>Takes part in the start and stop of the silo or client that it belongs to.</summary>
internal abstract class LifecycleParticipant(int stage)
    : ILifecycleParticipant<ISiloLifecycle>, ILifecycleParticipant<IClusterClientLifecycle>
{
    public void Participate(ISiloLifecycle lifecycle) => Subscribe(lifecycle);

    public void Participate(IClusterClientLifecycle lifecycle) => Subscribe(lifecycle);

    internal static void AddTo<T>(IServiceCollection services)
        where T : LifecycleParticipant
    {
        services.AddSingleton<T>();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(
            static services => services.GetRequiredService<T>());
        services.AddSingleton<ILifecycleParticipant<IClusterClientLifecycle>>(
            static services => services.GetRequiredService<T>());
        if (typeof(IReportedPart).IsAssignableFrom(typeof(T)))
        {
            services.AddSingleton(static services => (IReportedPart)services.GetRequiredService<T>());
        }
    }

    /// <exception cref="OrleansConfigurationException">The silo or client must not start.</exception>
    protected abstract void Start();

    protected virtual Task Stop() => Task.CompletedTask;

    private void Subscribe(ILifecycleObservable lifecycle) => lifecycle.Subscribe(
        GetType().Name,
        stage,
        _ =>
        {
            Start();
            return Task.CompletedTask;
        },
        _ => Stop());
}
