using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Storage;

namespace Cluster.Bank;

/// <summary>A silo of the bank: only what any program with Orleans and PostgreSQL would write.</summary>
internal static class BankSilo
{
    public const string Storage = "bank";
    public const string Invariant = "Npgsql";

    public static void Configure(ISiloBuilder silo, SiloSettings settings)
    {
        silo.Configure<ClusterOptions>(settings.Identify);
        silo.Configure<SiloOptions>(options => options.SiloName = settings.Name);
        silo.UseAdoNetClustering(
            options => (options.Invariant, options.ConnectionString) = (Invariant, settings.Postgres));
        silo.AddAdoNetGrainStorage(
            Storage, options => (options.Invariant, options.ConnectionString) = (Invariant, settings.Postgres));
        silo.UseAdoNetReminderService(
            options => (options.Invariant, options.ConnectionString) = (Invariant, settings.Postgres));
        silo.Configure<ReminderOptions>(static options => options.MinimumReminderPeriod = TimeSpan.FromSeconds(1));
        silo.UseTransactions();

        // When a silo leaves, the default directory loses grains of living silos: see docs/orleans-defects.md.
#pragma warning disable ORLEANSEXP003
        silo.AddDistributedGrainDirectory();
#pragma warning restore ORLEANSEXP003

        // The default, JSON, is slower than the bank itself.
        silo.Services.AddSingleton<IGrainStorageSerializer, OrleansGrainStorageSerializer>();

        // Others connect to the advertised port, which may belong to a proxy.
        silo.ConfigureEndpoints(IPAddress.Loopback, settings.AdvertisedPort, settings.GatewayPort);
        silo.Configure<EndpointOptions>(options =>
        {
            options.SiloListeningEndpoint = new IPEndPoint(IPAddress.Loopback, settings.ListeningPort);
            options.GatewayListeningEndpoint = new IPEndPoint(IPAddress.Loopback, settings.GatewayPort);
        });

        // The difference between the compared variants. Their values for fast recovery differ once, see there.
        if (settings.HasPlugin)
        {
            silo.AddScalableTimers().AddCallCancellation().ConfigureTransactionPhases();
        }

        if (settings.RecoversFast)
        {
            RecoverFast(silo, settings.HasPlugin);
        }

        silo.Services.AddSingleton<WaitWatch>();
    }

    private static void RecoverFast(ISiloBuilder silo, bool hasPlugin)
    {
        silo.Configure<ClusterMembershipOptions>(static options =>
        {
            options.ProbeTimeout = TimeSpan.FromSeconds(1);
            options.NumMissedProbesLimit = 3;
            options.TableRefreshTimeout = TimeSpan.FromSeconds(5);
        });

        // The grains of a failed silo are not activated elsewhere for half a minute by default, less twelve times the
        // probe timeout. That would be 18 seconds here.
        silo.Configure<GrainDirectoryOptions>(static options => options.RangeLeaseDuration = TimeSpan.FromSeconds(5));
        silo.Configure<SiloMessagingOptions>(options =>
            (options.ResponseTimeout, options.CancelRequestOnTimeout) = (TimeSpan.FromSeconds(5), hasPlugin));
        if (hasPlugin)
        {
            silo.ConfigureTransactionPhases(static phases => phases.UseFastRecovery = true);
            return;
        }

        // The same values without the plugin, except that requests that time out are not cancelled. Nobody should copy
        // them: participants that ask so early can lose money where the manager is Orleans' own. See
        // docs/orleans-defects.md.
        silo.Configure<TransactionalStateOptions>(static options =>
        {
            options.LockTimeout = TimeSpan.FromSeconds(2);
            options.LockAcquireTimeout = TimeSpan.FromSeconds(1.5);
            options.PrepareTimeout = TimeSpan.FromSeconds(2);
            options.RemoteTransactionPingFrequency = TimeSpan.FromSeconds(2);
            options.ConfirmationRetryDelay = TimeSpan.FromSeconds(1);
        });
    }
}
