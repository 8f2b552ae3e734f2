using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Silos and a client that tests share. No test stops them.</summary>
public abstract class ClusterFixture : IAsyncLifetime
{
    private protected ClusterFixture(short silos) => Cluster = Clusters.Build(silos, Configure, Configure);

    internal InProcessTestCluster Cluster { get; }

    internal IClusterClient Client => Cluster.Client;

    internal InProcessSiloHandle First => Cluster.Silo(0);

    internal InProcessSiloHandle Second => Cluster.Silo(1);

    public virtual async ValueTask InitializeAsync() => await Cluster.DeployAsync();

    public virtual async ValueTask DisposeAsync()
    {
        // The silos stop gracefully, so that their grains cancel their timers in Orleans' static timer manager, which
        // other tests inspect.
        await Cluster.StopAllSilosAsync();
        await Cluster.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>The activation of a grain that is active in one of the silos.</summary>
    internal IGrainContext Activation(IAddressable grain) =>
        Cluster.TryGetGrainContext(grain.GetGrainId(), out var context)
            ? context
            : throw new InvalidOperationException($"{grain.GetGrainId()} is not active.");

    protected abstract void Configure(int number, ISiloBuilder silo);

    protected virtual void Configure(IClientBuilder client)
    {
    }
}
