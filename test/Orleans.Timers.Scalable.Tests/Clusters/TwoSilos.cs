using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.TestingHost;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Two silos and a client with scalable timers on the system clock, transactions and reminders. No test stops them.
/// </summary>
public sealed class TwoSilos : IAsyncLifetime
{
    /// <summary>The resolution of the second silo. The first one has the default of 10 milliseconds.</summary>
    internal static readonly TimeSpan OtherResolution = TimeSpan.FromMilliseconds(25);

    private readonly InProcessTestCluster _cluster;

    public TwoSilos()
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 2);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo(static (options, silo) =>
        {
            silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().UseInMemoryReminderService();
            silo.Configure<ReminderOptions>(static reminders =>
            {
                reminders.MinimumReminderPeriod = TimeSpan.FromMilliseconds(50);

                // After a start a silo may send reminders to another that does not keep them (Orleans logs "I shouldn't
                // have received request"). The silo that does keep them learns of them only at its next refresh.
                reminders.RefreshReminderListPeriod = TimeSpan.FromSeconds(1);
            });
            silo.Configure<GrainCollectionOptions>(static collection =>
            {
                collection.CollectionQuantum = TimeSpan.FromSeconds(1);
                collection.ClassSpecificCollectionAge[typeof(ShortLivedGrain).FullName!] = ShortLivedGrain.Age;
            });
            if (options.SiloName.EndsWith('0'))
            {
                silo.AddScalableTimers();
            }
            else
            {
                silo.AddScalableTimers(static timers => timers.Resolution = OtherResolution);
            }
        });
        builder.ConfigureClient(static client => client.AddScalableTimers());
        _cluster = builder.Build();
    }

    internal InProcessTestCluster Cluster => _cluster;

    internal InProcessSiloHandle First => _cluster.Silos.Single(static silo => silo.Name.EndsWith('0'));

    internal InProcessSiloHandle Second => _cluster.Silos.Single(static silo => !silo.Name.EndsWith('0'));

    public async ValueTask InitializeAsync() => await _cluster.DeployAsync();

    public async ValueTask DisposeAsync() => await _cluster.DisposeAsync();

    /// <summary>The activation of a grain that is active in one of the silos.</summary>
    internal IGrainContext Activation(IAddressable grain) =>
        _cluster.TryGetGrainContext(grain.GetGrainId(), out var context)
            ? context
            : throw new InvalidOperationException($"{grain.GetGrainId()} is not active.");
}
