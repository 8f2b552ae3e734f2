namespace Orleans.Timers.Scalable;

/// <summary>Checks, when a silo or client starts, where the plugin's call filters stand among the others.</summary>
/// <remarks>Not earlier, because other filters may be registered until then.</remarks>
internal abstract class CallFilterOrder
    : ILifecycleParticipant<ISiloLifecycle>, ILifecycleParticipant<IClusterClientLifecycle>
{
    public void Participate(ISiloLifecycle lifecycle) => Subscribe(lifecycle);

    public void Participate(IClusterClientLifecycle lifecycle) => Subscribe(lifecycle);

    /// <exception cref="OrleansConfigurationException">The silo or client must not start with this order.</exception>
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
