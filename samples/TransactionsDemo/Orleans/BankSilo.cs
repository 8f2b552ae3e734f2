using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Configuration;
using Orleans.Storage;
using Orleans.Timers.Scalable;
using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>Builds a silo of the bank.</summary>
internal static class BankSilo
{
    /// <param name="settings">The settings of the bank.</param>
    /// <param name="tally">Counts the timers of its grains.</param>
    /// <param name="phases">The statistics of transaction phases; null for the silo's own.</param>
    public static IHost Build(SiloSettings settings, TimerTally tally, TransactionPhaseStatistics? phases = null)
    {
        var limits = Limits.For(settings.Bank.TransactionOptions);
        var primary = new IPEndPoint(IPAddress.Loopback, settings.PrimaryPort);
        var host = Host.CreateEmptyApplicationBuilder(settings: null);
        host.UseOrleans(silo =>
        {
            silo.UseLocalhostClustering(
                settings.SiloPort, settings.GatewayPort, primary, settings.ClusterId, settings.ClusterId);
            silo.UseTransactions();
            AddPhases(silo, settings, phases);
            silo.Configure<TransactionalStateOptions>(limits.ApplyTo);
            silo.Configure<SiloMessagingOptions>(options => options.ResponseTimeout = limits.Response);
            silo.Configure<ClusterMembershipOptions>(
                options => options.ProbeTimeout = settings.Bank.ProbeTimeout ?? options.ProbeTimeout);
            AddStorage(silo, settings);
            silo.Services.AddSingleton(tally);
            silo.Services.AddSingleton(limits);
            AddTimers(silo, settings);
        });
        return host.Build();
    }

    private static void AddPhases(ISiloBuilder silo, SiloSettings settings, TransactionPhaseStatistics? phases)
    {
        if (!settings.Bank.MeasuresPhases)
        {
            return;
        }

        silo.MeasureTransactionPhases();
        if (phases is not null)
        {
            silo.Services.AddSingleton(phases);
        }
    }

    private static void AddStorage(ISiloBuilder silo, SiloSettings settings)
    {
        // With the default serializer, JSON, the demo would mostly measure JSON.
        silo.Services.AddSingleton<IGrainStorageSerializer, OrleansGrainStorageSerializer>();
        switch (settings.Bank.Storage)
        {
            case StorageKind.Memory:
                silo.AddMemoryGrainStorage(OrleansEngine.StorageName);
                break;
            case StorageKind.Files:
                silo.Services.AddKeyedSingleton<IGrainStorage>(
                    OrleansEngine.StorageName,
                    (services, _) =>
                        ActivatorUtilities.CreateInstance<FileGrainStorage>(services, settings.Bank.StorageLocation!));
                break;
            default:
#if ORLEANS_ADONET
                PostgresStorage.AddTo(silo, settings.Bank.StorageLocation!);
                break;
#else
                throw new NotSupportedException("This build is without Orleans' ADO.NET storage.");
#endif
        }
    }

    /// <summary>Scoped, because a grain's delays end with the grain.</summary>
    private static void AddTimers(ISiloBuilder silo, SiloSettings settings)
    {
        switch (settings.Timers)
        {
            case TimerKind.System:
                silo.Services.AddScoped<DemoTimers, SystemTimers>();
                break;
            case TimerKind.Stock:
                silo.Services.AddScoped<DemoTimers, StockTimers>();
                break;
            default:
                silo.AddScalableTimers();
                if (settings.Bank.ServesStaticTimers is { } serves)
                {
                    silo.Configure<OrleansTimerOptions>(options => options.ServeStaticTimers = serves);
                }

                silo.Services.AddScoped<DemoTimers, GrainTimers>();
                break;
        }
    }
}
