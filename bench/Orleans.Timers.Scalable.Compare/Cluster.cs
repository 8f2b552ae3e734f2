using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.TestingHost;
using ScalableTimers.Compare.Running;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>Silos in this process.</summary>
internal sealed class Cluster : IDisposable
{
    /// <summary>Too long to expire during a measurement.</summary>
    private static readonly TimeSpan s_responseTimeout = TimeSpan.FromMinutes(10);

    private readonly InProcessTestCluster _cluster;

    internal Cluster(short silos, Action<ISiloBuilder> configure)
    {
        var builder = new InProcessTestClusterBuilder(silos);
        builder.Options.ConfigureFileLogging = false;
        builder.Options.InitializeClientOnDeploy = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.Services.AddLogging(static logging => logging.ClearProviders());
            silo.Configure<SiloMessagingOptions>(static options => options.ResponseTimeout = s_responseTimeout);
            configure(silo);
        });
        _cluster = builder.Build();
        _cluster.DeployAsync().GetAwaiter().GetResult();
    }

    internal static Action<ISiloBuilder> Stock { get; } = static _ => { };

    internal static Action<ISiloBuilder> Scalable { get; } = static silo => silo.AddScalableTimers();

    internal IServiceProvider Services => _cluster.Silos[0].ServiceProvider;

    /// <summary>The services of the second silo, if there is one.</summary>
    internal IServiceProvider Second => _cluster.Silos[1].ServiceProvider;

    /// <summary>Rows with and without the plugin, for each count.</summary>
    internal static IReadOnlyList<Contestant> Rows(
        string ours, string what, int[] counts, Func<Action<ISiloBuilder>, int, Measurement> run)
    {
        string Row(string name, int count) => $"{name}, {count:N0} {what}";
        return
        [
            .. from count in counts
               from way in new[] { ("Orleans alone", Stock), (ours, Scalable) }
               select new Contestant(Row(way.Item1, count), () => run(way.Item2, count))
               {
                   Against = Row("Orleans alone", count),
               },
        ];
    }

    /// <summary>A grain, called from the first silo.</summary>
    internal ICallee Callee(int key) => Services.GetRequiredService<IGrainFactory>().GetGrain<ICallee>(key);

    public void Dispose() => _cluster.DisposeAsync().AsTask().GetAwaiter().GetResult();
}
