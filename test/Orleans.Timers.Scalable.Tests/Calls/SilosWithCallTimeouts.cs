using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Two silos and a client whose calls can be bounded by <see cref="CallTimeout"/>.</summary>
public sealed class SilosWithCallTimeouts : IAsyncLifetime
{
    public SilosWithCallTimeouts()
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 2);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo(static (_, silo) => silo.AddCallTimeouts());
        builder.ConfigureClient(static client => client.AddCallTimeouts());
        Cluster = builder.Build();
    }

    internal InProcessTestCluster Cluster { get; }

    internal IServiceProvider ClientServices => Cluster.Client.ServiceProvider;

    /// <summary>A grain in one of the silos.</summary>
    internal ITimedGrain NewGrain() => Cluster.Client.GetGrain<ITimedGrain>(Guid.NewGuid());

    public async ValueTask InitializeAsync() => await Cluster.DeployAsync();

    public async ValueTask DisposeAsync() => await Cluster.DisposeAsync();
}
