using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>Two silos in this process.</summary>
internal static class Clusters
{
    /// <summary>A timeout so long that it does not come during a measurement.</summary>
    private static readonly TimeSpan s_responseTimeout = TimeSpan.FromMinutes(10);

    internal static async Task<InProcessTestCluster> Start(Setup setup, Action<ISiloBuilder>? configure = null)
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 2);
        builder.Options.ConfigureFileLogging = false;
        builder.Options.InitializeClientOnDeploy = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.Services.AddLogging(static logging => logging.ClearProviders());
            silo.Configure<SiloMessagingOptions>(static options => options.ResponseTimeout = s_responseTimeout);
            if (setup != Setup.Stock)
            {
                silo.AddScalableTimers();
            }

            if (setup == Setup.Every20ms)
            {
                silo.Configure<OrleansTimerOptions>(
                    static options => options.LongestResponseTimeoutCheck = options.ShortestResponseTimeoutCheck);
            }

            configure?.Invoke(silo);
        });
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }

    /// <summary>The factory of references to grains, from a silo's own client.</summary>
    internal static IGrainFactory Grains(this InProcessTestCluster cluster) =>
        cluster.Silos[0].ServiceProvider.GetRequiredService<IGrainFactory>();
}
