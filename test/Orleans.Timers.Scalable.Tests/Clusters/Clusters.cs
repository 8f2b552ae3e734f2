using Microsoft.Extensions.Hosting;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Clusters whose silos and client run in this process.</summary>
internal static class Clusters
{
    /// <param name="silos">How many silos the cluster has.</param>
    /// <param name="configureSilo">Configures a silo, whose number comes first.</param>
    /// <param name="configureClient">Configures the client.</param>
    /// <param name="configureHost">Configures the host of each silo.</param>
    internal static InProcessTestCluster Build(
        short silos,
        Action<int, ISiloBuilder> configureSilo,
        Action<IClientBuilder>? configureClient = null,
        Action<IHostApplicationBuilder>? configureHost = null)
    {
        var builder = new InProcessTestClusterBuilder(silos);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((options, silo) =>
        {
            // The process has one set of them. Some tests want it unserved, and others serve it themselves.
            silo.Configure<OrleansTimerOptions>(static options => options.ServeStaticTimers = false);
            configureSilo(NumberOf(options.SiloName), silo);
        });
        if (configureHost is not null)
        {
            builder.ConfigureSiloHost((_, host) => configureHost(host));
        }

        if (configureClient is not null)
        {
            builder.ConfigureClient(configureClient);
        }

        return builder.Build();
    }

    internal static async Task<InProcessTestCluster> Deploy(
        short silos, Action<int, ISiloBuilder> configureSilo, Action<IClientBuilder>? configureClient = null)
    {
        var cluster = Build(silos, configureSilo, configureClient);
        await cluster.DeployAsync();
        return cluster;
    }

    /// <summary>A silo by its number, in whatever order the cluster keeps them.</summary>
    internal static InProcessSiloHandle Silo(this InProcessTestCluster cluster, int number) =>
        cluster.Silos.Single(silo => NumberOf(silo.Name) == number);

    private static int NumberOf(string siloName) => siloName[^1] - '0';
}
