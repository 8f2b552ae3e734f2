using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Storage;
using Shared;

namespace TransactionsDemo.Bank;

/// <summary>Two silos in this process. They talk to each other over sockets, as on two machines.</summary>
internal sealed class BankCluster : IAsyncDisposable
{
    public const string Storage = "bank";

    private readonly IHost[] _silos;

    private BankCluster(IHost[] silos)
    {
        _silos = silos;
    }

    public IGrainFactory Grains => _silos[0].Services.GetRequiredService<IGrainFactory>();

    public static async Task<BankCluster> StartAsync(bool hasScalableTimers)
    {
        var ports = FreePorts.Find(4);
        var first = new IPEndPoint(IPAddress.Loopback, ports[0]);
        IHost[] silos =
        [
            Build(hasScalableTimers, ports[0], ports[1], first),
            Build(hasScalableTimers, ports[2], ports[3], first),
        ];
        foreach (var silo in silos)
        {
            await silo.StartAsync();
        }

        return new BankCluster(silos);
    }

    public async ValueTask DisposeAsync()
    {
        // The first silo keeps the list of the others, so it leaves last.
        foreach (var silo in _silos.Reverse())
        {
            await silo.StopAsync();
            await ((IAsyncDisposable)silo).DisposeAsync();
        }
    }

    private static IHost Build(bool hasScalableTimers, int siloPort, int gatewayPort, IPEndPoint first)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.SetMinimumLevel(LogLevel.Error);
        builder.UseOrleans(silo =>
        {
            silo.UseLocalhostClustering(siloPort, gatewayPort, first);
            silo.UseTransactions();
            silo.AddMemoryGrainStorage(Storage);

            // With the default, JSON, the demo would mostly measure JSON.
            silo.Services.AddSingleton<IGrainStorageSerializer, OrleansGrainStorageSerializer>();

            // The only difference between the compared variants.
            if (hasScalableTimers)
            {
                silo.AddScalableTimers();
            }
        });
        return builder.Build();
    }
}
