using System.Net;
using System.Net.Sockets;
using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>Runs banks on Orleans: accounts and tellers are grains in real silos, which talk to each other over sockets.</summary>
internal sealed class OrleansEngine : IBankEngine
{
    public const string StorageName = "bank";

    private static readonly string? s_version = typeof(IGrain).Assembly
        .GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+', ' ')[0].TrimEnd('.');

    public string Name => "orleans";

    public string Description =>
        $"silos of Orleans {s_version} in this process, connected by sockets, with memory storage";

    public int DefaultAccounts => 500;

    public int DefaultConcurrency => 50;

    public IReadOnlyList<TimerKind> TimerKinds { get; } = [TimerKind.System, TimerKind.Stock, TimerKind.Scalable];

    public async Task<IBank> OpenAsync(TimerKind timers, BankSettings settings)
    {
        var tally = new TimerTally();
        var clusterId = Guid.NewGuid().ToString("N");
        var ports = FreePorts(2 * settings.Silos);
        var silos = new List<IHost>();
        for (var number = 0; number < settings.Silos; number++)
        {
            var silo = BankSilo.Build(timers, tally, settings, clusterId, ports[2 * number], ports[(2 * number) + 1], primaryPort: ports[0]);
            silos.Add(silo);
            await silo.StartAsync();
        }

        var bank = new OrleansBank(silos, silos[0].Services.GetRequiredService<IGrainFactory>(), tally, settings);
        await bank.OpenAccountsAsync();
        return bank;
    }

    private static int[] FreePorts(int count)
    {
        // All are held until all are known, so that none is given out twice.
        var listeners = Enumerable.Range(0, count).Select(static _ => new TcpListener(IPAddress.Loopback, 0)).ToList();
        listeners.ForEach(static listener => listener.Start());
        var ports = listeners.ConvertAll(static listener => ((IPEndPoint)listener.LocalEndpoint).Port);
        listeners.ForEach(static listener => listener.Stop());
        return [.. ports];
    }
}
