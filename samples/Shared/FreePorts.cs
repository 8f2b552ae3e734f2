using System.Net;
using System.Net.Sockets;

namespace Shared;

/// <summary>Finds ports that nothing listens on.</summary>
internal static class FreePorts
{
    public static int[] Find(int count)
    {
        // Hold all ports until all are known, so that none is returned twice.
        var listeners = Enumerable.Range(0, count).Select(static _ => new TcpListener(IPAddress.Loopback, 0)).ToList();
        listeners.ForEach(static listener => listener.Start());
        int[] ports = [.. listeners.Select(static listener => ((IPEndPoint)listener.LocalEndpoint).Port)];
        listeners.ForEach(static listener => listener.Stop());
        return ports;
    }
}
