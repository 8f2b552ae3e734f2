using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Two silos and a client with call deadlines, and a silo without them. No test stops them.
/// </summary>
public sealed class DeadlineSilos : IAsyncLifetime
{
    internal const string Streams = "deadline streams";

    /// <summary>
    /// The response timeout of the silo without deadlines. It differs from the one of all others, which is Orleans'
    /// default.
    /// </summary>
    internal static readonly TimeSpan StockResponseTimeout = TimeSpan.FromSeconds(12);

    private readonly InProcessTestCluster _cluster;

    public DeadlineSilos()
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 3);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo(static (options, silo) =>
        {
            silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().UseInMemoryReminderService();
            silo.AddMemoryGrainStorage("PubSubStore").AddMemoryStreams(Streams);
            silo.Configure<ReminderOptions>(
                static reminders => reminders.MinimumReminderPeriod = TimeSpan.FromMilliseconds(50));
            silo.AddScalableTimers();
            if (options.SiloName.EndsWith('2'))
            {
                silo.Configure<SiloMessagingOptions>(
                    static messaging => messaging.ResponseTimeout = StockResponseTimeout);
            }
            else
            {
                silo.AddCallDeadlines();
            }
        });
        builder.ConfigureClient(static client => client.AddCallDeadlines());
        _cluster = builder.Build();
    }

    internal IClusterClient Client => _cluster.Client;

    internal InProcessSiloHandle First => _cluster.Silos.Single(static silo => silo.Name.EndsWith('0'));

    internal InProcessSiloHandle Second => _cluster.Silos.Single(static silo => silo.Name.EndsWith('1'));

    /// <summary>The silo without deadlines.</summary>
    internal InProcessSiloHandle Stock => _cluster.Silos.Single(static silo => silo.Name.EndsWith('2'));

    internal DeadlineCounts ClientCounts => Counts(Client.ServiceProvider);

    internal static DeadlineCounts CountsOf(InProcessSiloHandle silo) => Counts(silo.ServiceProvider);

    public async ValueTask InitializeAsync() => await _cluster.DeployAsync();

    public async ValueTask DisposeAsync() => await _cluster.DisposeAsync();

    private static DeadlineCounts Counts(IServiceProvider services) =>
        services.GetRequiredService<CallDeadlines>().Counts;
}
