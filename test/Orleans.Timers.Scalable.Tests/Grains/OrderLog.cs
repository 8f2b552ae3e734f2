using System.Threading.Channels;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Keeps events in the order in which they happened.</summary>
internal sealed class OrderLog
{
    private readonly Channel<string> _events = Channel.CreateUnbounded<string>();

    internal Task Add(string what)
    {
        _events.Writer.TryWrite(what);
        return Task.CompletedTask;
    }

    /// <summary>Forgets the events that have not been read.</summary>
    internal void Forget()
    {
        while (_events.Reader.TryRead(out _))
        {
        }
    }

    /// <summary>Returns the next events as soon as they have happened.</summary>
    internal async Task<string[]> Read(int count)
    {
        var events = new string[count];
        for (var i = 0; i < count; i++)
        {
            events[i] = await _events.Reader.ReadAsync(TestContext.Current.CancellationToken)
                .AsTask()
                .Guarded($"{count - i} more things happen");
        }

        return events;
    }
}
