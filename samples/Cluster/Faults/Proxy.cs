using System.Net;
using System.Net.Sockets;

namespace Cluster.Faults;

/// <summary>Forwards connections, and can delay what clients send or hold everything back.</summary>
internal sealed class Proxy : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _ended = new();
    private volatile EndPoint? _target;
    private readonly Func<int, int> _sourceOf;
    private volatile Func<int, bool> _isHeld = static _ => false;

    /// <param name="sourceOf">
    /// Tells where a connection comes from, by its client's port; negative if it cannot be seen yet.
    /// </param>
    public Proxy(Func<int, int> sourceOf)
    {
        _sourceOf = sourceOf;
        _listener.Start();
        _ = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>How much later each packet from a client arrives.</summary>
    public TimeSpan Delay { get; set; }

    /// <summary>Sets where new connections lead.</summary>
    public void PassTo(EndPoint target) => _target = target;

    /// <summary>
    /// Holds back everything on connections from the sources that the function picks, like a network partition between
    /// two machines. Nothing is lost.
    /// </summary>
    public void Hold(Func<int, bool> isHeld) => _isHeld = isHeld;

    public void Dispose()
    {
        _ended.Cancel();
        _listener.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (!_ended.IsCancellationRequested)
        {
            try
            {
                _ = ServeAsync(await _listener.AcceptSocketAsync(_ended.Token));
            }
            catch (Exception exception)
                when (exception is OperationCanceledException or SocketException or ObjectDisposedException)
            {
                return;
            }
        }
    }

    private async Task ServeAsync(Socket client)
    {
        using var server = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        using (client)
        {
            try
            {
                client.NoDelay = true;
                var source = await FindSourceAsync(((IPEndPoint)client.RemoteEndPoint!).Port);
                if (source < 0)
                {
                    return;
                }

                await WaitAsync(source);
                await server.ConnectAsync(_target!, _ended.Token);

                // When one side has closed the connection, close it for both.
                await Task.WhenAny(
                    CopyAsync(client, server, source, isDelayed: true),
                    CopyAsync(server, client, source, isDelayed: false));
            }
            catch (Exception exception) when (exception is SocketException or OperationCanceledException)
            {
            }
        }
    }

    private async Task CopyAsync(Socket from, Socket to, int source, bool isDelayed)
    {
        var buffer = new byte[64 * 1024];
        while (await from.ReceiveAsync(buffer, _ended.Token) is var length and > 0)
        {
            if (isDelayed && Delay > TimeSpan.Zero)
            {
                await Task.Delay(Delay, _ended.Token);
            }

            await WaitAsync(source);
            for (var sent = 0; sent < length;)
            {
                sent += await to.SendAsync(buffer.AsMemory(sent, length - sent), _ended.Token);
            }
        }
    }

    /// <summary>
    /// A connection of an unknown source would not be held. Its process may have ended, so this gives up after a while.
    /// </summary>
    private async Task<int> FindSourceAsync(int port)
    {
        var source = _sourceOf(port);
        for (var attempt = 0; source < 0 && attempt < 100; attempt++)
        {
            await Task.Delay(50, _ended.Token);
            source = _sourceOf(port);
        }

        return source;
    }

    private async Task WaitAsync(int source)
    {
        while (_isHeld(source))
        {
            await Task.Delay(50, _ended.Token);
        }
    }
}
