using System.Net;
using Cluster.Bank;
using Cluster.Faults;
using Shared;

namespace Cluster.Silos;

/// <summary>The silos of a round, each in its own process. All are equal: any may die.</summary>
internal sealed class SiloCluster : IDisposable
{
    public const int Size = 3;

    private readonly SiloProcess?[] _silos = new SiloProcess?[Size];
    private readonly Proxy?[] _proxies = new Proxy?[Size];
    private readonly List<SiloProcess> _started = [];
    private readonly SiloSettings _settings;

    /// <param name="settings">The settings of every silo, except its name and ports.</param>
    /// <param name="hasProxies">Whether the silos' connections to each other can be interrupted.</param>
    public SiloCluster(SiloSettings settings, bool hasProxies)
    {
        _settings = settings;
        if (hasProxies)
        {
            for (var silo = 0; silo < Size; silo++)
            {
                _proxies[silo] = new Proxy(SiloOf);
            }
        }
    }

    public IEnumerable<SiloProcess> Current => _silos.OfType<SiloProcess>();

    public IEnumerable<SiloProcess> Alive => Current.Where(static silo => silo.IsAlive);

    /// <summary>All silos that were started, including those that have ended.</summary>
    public IReadOnlyList<SiloProcess> Started => _started;

    public SiloProcess this[int silo] => _silos[silo]!;

    public Proxy ProxyOf(int silo) => _proxies[silo]!;

    public void Start(int silo, bool hasPlugin)
    {
        var ports = FreePorts.Find(2);
        var settings = _settings with
        {
            Name = $"silo{silo + 1}",
            HasPlugin = hasPlugin,
            ListeningPort = ports[0],
            AdvertisedPort = _proxies[silo]?.Port ?? ports[0],
            GatewayPort = ports[1],
        };
        _started.Add(_silos[silo] = SiloProcess.Start(settings));
        _proxies[silo]?.PassTo(new IPEndPoint(IPAddress.Loopback, ports[0]));
    }

    /// <summary>The number of the silo that a connection comes from; -1 for none.</summary>
    private int SiloOf(int localPort) => Array.FindIndex(
        _silos, silo => silo is { IsAlive: true } && Connections.Has(silo.Id, localPort));

    public async Task StopAsync() => await Task.WhenAll(Alive.Select(static silo => silo.StopAsync()));

    public void Kill() => Array.ForEach(_silos, static silo => silo?.Kill());

    public void Dispose()
    {
        _started.ForEach(static silo => silo.Dispose());
        Array.ForEach(_proxies, static proxy => proxy?.Dispose());
    }
}
