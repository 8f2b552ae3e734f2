using System.Globalization;

namespace Cluster.Faults;

/// <summary>Asks Linux which process has a connection of this machine.</summary>
internal static class Connections
{
    /// <param name="process">A process of the same user.</param>
    /// <param name="localPort">The port of its end of the connection.</param>
    public static bool Has(int process, int localPort)
    {
        // The second column is the local address with its port, the tenth the inode of the socket.
        var port = $":{localPort.ToString("X4", CultureInfo.InvariantCulture)}";
        var socket = File.ReadLines("/proc/net/tcp").Concat(File.ReadLines("/proc/net/tcp6"))
            .Select(static line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(columns => columns.Length > 9 && columns[1].EndsWith(port, StringComparison.Ordinal))
            .Select(static columns => $"socket:[{columns[9]}]")
            .FirstOrDefault();
        return socket is not null && new DirectoryInfo($"/proc/{process}/fd").EnumerateFiles()
            .Any(file => file.LinkTarget == socket);
    }
}
