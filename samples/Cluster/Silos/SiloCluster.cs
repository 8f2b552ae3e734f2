using System.Net;
using System.Net.Sockets;
using Cluster.Bank;
using Cluster.Faults;

namespace Cluster.Silos;

/// <summary>The silos of a round, each a process. All are equal: any may die.</summary>
internal sealed class SiloCluster : IDisposable
{
    public const int Size = 3;

    private readonly SiloProcess?[] _silos = new SiloProcess?[Size];
    private readonly Proxy?[] _proxies = new Proxy?[Size];
    private readonly List<SiloProcess> _gone = [];
    private readonly SiloSettings _settings;

    /// <param name="settings">Of every silo, but for its name and ports.</param>
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

    public IEnumerable<SiloProcess> Alive => _silos.OfType<SiloProcess>().Where(static silo => silo.IsAlive);

    /// <summary>The last figures of all silos, of those too that have ended.</summary>
    public IEnumerable<SiloFigures> AllFigures =>
        _gone.Concat(_silos).Select(static silo => silo?.Figures).OfType<SiloFigures>();

    public SiloProcess this[int silo] => _silos[silo]!;

    public Proxy ProxyOf(int silo) => _proxies[silo]!;

    public void Start(int silo, bool hasPlugin)
    {
        if (_silos[silo] is { } old)
        {
            _gone.Add(old);
        }

        var ports = FreePorts(2);
        var settings = _settings with
        {
            Name = $"silo{silo + 1}",
            HasPlugin = hasPlugin,
            ListeningPort = ports[0],
            AdvertisedPort = _proxies[silo]?.Port ?? ports[0],
            GatewayPort = ports[1],
        };
        _silos[silo] = SiloProcess.Start(settings);
        _proxies[silo]?.PassTo(new IPEndPoint(IPAddress.Loopback, ports[0]));
    }

    /// <summary>The number of the silo that a connection comes from; -1 if from none.</summary>
    private int SiloOf(int localPort) => Array.FindIndex(
        _silos, silo => silo is { IsAlive: true } && Connections.Has(silo.Id, localPort));

    public async Task StopAsync() => await Task.WhenAll(Alive.Select(static silo => silo.StopAsync()));

    public void Dispose()
    {
        foreach (var silo in _silos.Concat(_gone))
        {
            silo?.Dispose();
        }

        foreach (var proxy in _proxies)
        {
            proxy?.Dispose();
        }
    }

    private static int[] FreePorts(int count)
    {
        // All are held until all are known, so that none is given out twice.
        var listeners = Enumerable.Range(0, count).Select(static _ => new TcpListener(IPAddress.Loopback, 0)).ToList();
        listeners.ForEach(static listener => listener.Start());
        int[] ports = [.. listeners.Select(static listener => ((IPEndPoint)listener.LocalEndpoint).Port)];
        listeners.ForEach(static listener => listener.Stop());
        return ports;
    }
}
