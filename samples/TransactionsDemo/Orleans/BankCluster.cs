using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Timers.Scalable;
using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>
/// The silos of a bank. The first is always in this process, and keeps the list of the others; they are too, unless one
/// of them is to be killed.
/// </summary>
internal sealed class BankCluster : IAsyncDisposable
{
    private static readonly TimeSpan s_lookPeriod = TimeSpan.FromMilliseconds(20);

    private readonly List<IHost> _silos = [];
    private readonly List<SiloProcess> _processes = [];
    private SiloAddress? _victim;

    private BankCluster()
    {
    }

    public IGrainFactory Grains => _silos[0].Services.GetRequiredService<IGrainFactory>();

    /// <summary>Of all silos in this process; null where they are not measured.</summary>
    public TransactionPhaseStatistics? Phases => _silos[0].Services.GetService<TransactionPhaseStatistics>();

    private IClusterMembershipService Membership => _silos[0].Services.GetRequiredService<IClusterMembershipService>();

    /// <summary>Starts all silos, one after the other.</summary>
    public static async Task<BankCluster> StartAsync(TimerKind timers, BankSettings bank, TimerTally tally)
    {
        var cluster = new BankCluster();
        var clusterId = Guid.NewGuid().ToString("N");
        var ports = FreePorts(2 * bank.Silos);
        try
        {
            for (var number = 0; number < bank.Silos; number++)
            {
                await cluster.AddAsync(
                    new SiloSettings
                    {
                        Timers = timers,
                        Bank = bank,
                        ClusterId = clusterId,
                        SiloPort = ports[2 * number],
                        GatewayPort = ports[(2 * number) + 1],
                        PrimaryPort = ports[0],
                    },
                    tally,
                    isProcess: bank.KillAfter is not null && number > 0);
            }
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }

        return cluster;
    }

    public SiloDeath KillLast()
    {
        _processes[^1].Kill();
        return new SiloDeath(WaitUntilDeclaredDeadAsync());
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var process in _processes)
        {
            await process.DisposeAsync();
        }

        // The first silo leaves last.
        foreach (var silo in _silos.AsEnumerable().Reverse())
        {
            await silo.StopAsync();
            await ((IAsyncDisposable)silo).DisposeAsync();
        }
    }

    private async Task AddAsync(SiloSettings settings, TimerTally tally, bool isProcess)
    {
        if (!isProcess)
        {
            var silo = BankSilo.Build(settings, tally, _silos.Count == 0 ? null : Phases);
            _silos.Add(silo);
            await silo.StartAsync();
            return;
        }

        _processes.Add(await SiloProcess.StartAsync(settings));
        while (AddressOf(settings.SiloPort) is null)
        {
            await Task.Delay(s_lookPeriod);
        }

        _victim = AddressOf(settings.SiloPort);
    }

    private SiloAddress? AddressOf(int siloPort) =>
        Membership.CurrentSnapshot.Members.Keys.FirstOrDefault(address =>
            address.Endpoint.Port == siloPort
                && Membership.CurrentSnapshot.GetSiloStatus(address) == SiloStatus.Active);

    private async Task<TimeSpan> WaitUntilDeclaredDeadAsync()
    {
        var killedAt = Stopwatch.GetTimestamp();
        while (Membership.CurrentSnapshot.GetSiloStatus(_victim!) != SiloStatus.Dead)
        {
            await Task.Delay(s_lookPeriod);
        }

        return Stopwatch.GetElapsedTime(killedAt);
    }

    private static int[] FreePorts(int count)
    {
        // All ports are held until all are known, so that none is given out twice.
        var listeners = Enumerable.Range(0, count).Select(static _ => new TcpListener(IPAddress.Loopback, 0)).ToList();
        listeners.ForEach(static listener => listener.Start());
        var ports = listeners.ConvertAll(static listener => ((IPEndPoint)listener.LocalEndpoint).Port);
        listeners.ForEach(static listener => listener.Stop());
        return [.. ports];
    }
}
