using System.Collections.Concurrent;
using System.Net.WebSockets;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace TransactionsDemo.Tests.Browser;

/// <summary>Sends commands to a browser, and keeps what it tells of itself.</summary>
internal sealed class DevTools : IAsyncDisposable
{
    private readonly ClientWebSocket _socket = new();
    private readonly ConcurrentDictionary<int, TaskCompletionSource<JsonNode>> _answers = new();
    private readonly ConcurrentQueue<JsonNode> _events = new();
    private readonly TaskCompletionSource _loaded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _reading = Task.CompletedTask;
    private int _lastId;

    /// <summary>Of any kind, in their order.</summary>
    public IReadOnlyList<JsonNode> Events => [.. _events];

    /// <summary>Ends when a page has been loaded.</summary>
    public Task Loaded => _loaded.Task;

    /// <summary>The page that commands are for; null before there is one.</summary>
    public string? Session { get; set; }

    public async Task ConnectAsync(Uri address)
    {
        await _socket.ConnectAsync(address, TestContext.Current.CancellationToken);
        _reading = ReadAsync();
    }

    /// <summary>Sends a command.</summary>
    /// <returns>What the browser answers.</returns>
    public async Task<JsonNode> SendAsync(string method, JsonObject? parameters = null)
    {
        var id = Interlocked.Increment(ref _lastId);
        var answer = _answers[id] = new TaskCompletionSource<JsonNode>(
            TaskCreationOptions.RunContinuationsAsynchronously);
        var command = new JsonObject { ["id"] = id, ["method"] = method, ["params"] = parameters ?? [] };
        if (Session is not null)
        {
            command["sessionId"] = Session;
        }

        await _socket.SendAsync(
            JsonSerializer.SerializeToUtf8Bytes(command),
            WebSocketMessageType.Text,
            endOfMessage: true,
            TestContext.Current.CancellationToken);
        return await answer.Task.WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        _socket.Abort();
        await _reading;
        _socket.Dispose();
    }

    private async Task ReadAsync()
    {
        var buffer = new byte[1 << 16];
        using var message = new MemoryStream();
        try
        {
            while (true)
            {
                var part = await _socket.ReceiveAsync(buffer.AsMemory(), CancellationToken.None);
                message.Write(buffer, 0, part.Count);
                if (part.EndOfMessage)
                {
                    Take(JsonNode.Parse(message.ToArray())!);
                    message.SetLength(0);
                }
            }
        }
        catch (Exception exception) when (exception is WebSocketException or OperationCanceledException)
        {
            // It was closed.
        }
    }

    private void Take(JsonNode message)
    {
        if (message["id"] is { } id)
        {
            var answer = _answers[id.GetValue<int>()];
            if (message["error"] is { } error)
            {
                answer.SetException(new InvalidOperationException(error.ToJsonString()));
            }
            else
            {
                answer.SetResult(message["result"]!);
            }

            return;
        }

        _events.Enqueue(message);
        if (message["method"]?.GetValue<string>() == "Page.loadEventFired")
        {
            _loaded.TrySetResult();
        }
    }
}
