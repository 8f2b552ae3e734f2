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
    /// <param name="kind">What its grains keep time with.</param>
    /// <param name="tally">What counts it.</param>
    /// <param name="settings">What the bank is like.</param>
    /// <param name="clusterId">Keeps the clusters of one process apart.</param>
    /// <param name="siloPort">Where other silos find it.</param>
    /// <param name="gatewayPort">Where clients find it.</param>
    /// <param name="primaryPort">The silo port of the cluster's first silo.</param>
    public static IHost Build(TimerKind kind, TimerTally tally, BankSettings settings, string clusterId, int siloPort, int gatewayPort, int primaryPort)
    {
        var limits = Limits.For(settings.TransactionOptions);
        var host = Host.CreateEmptyApplicationBuilder(settings: null);
        host.UseOrleans(silo =>
        {
            silo.UseLocalhostClustering(siloPort, gatewayPort, new IPEndPoint(IPAddress.Loopback, primaryPort), clusterId, clusterId);
            silo.UseTransactions();
            silo.Configure<TransactionalStateOptions>(limits.ApplyTo);
            silo.Configure<SiloMessagingOptions>(options => options.ResponseTimeout = limits.Response);
            silo.AddMemoryGrainStorage(OrleansEngine.StorageName);

            // With the default, JSON, the demo would mostly measure JSON.
            silo.Services.AddSingleton<IGrainStorageSerializer, OrleansGrainStorageSerializer>();
            silo.Services.AddSingleton(tally);
            silo.Services.AddSingleton(limits);
            AddTimers(silo, kind, settings);
        });
        return host.Build();
    }

    /// <summary>Scoped, because a grain's delays end with the grain.</summary>
    private static void AddTimers(ISiloBuilder silo, TimerKind kind, BankSettings settings)
    {
        switch (kind)
        {
            case TimerKind.System:
                silo.Services.AddScoped<DemoTimers, SystemTimers>();
                break;
            case TimerKind.Stock:
                silo.Services.AddScoped<DemoTimers, StockTimers>();
                break;
            default:
                silo.AddScalableTimers();
                silo.Configure<OrleansTimerOptions>(options =>
                    options.AdoptOrleansTimers = settings.AdoptsOrleansTimers ?? options.AdoptOrleansTimers);
                silo.Services.AddScoped<DemoTimers, GrainTimers>();
                break;
        }
    }
}
