using System.Threading.Channels;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Keeps the times of ticks, by a silo's clock, since the log was begun.</summary>
internal sealed class TickLog(VirtualTimeSilo silo)
{
    private readonly Channel<TimeSpan> _ticks = Channel.CreateUnbounded<TimeSpan>();
    private readonly TimeSpan _start = silo.Clock.Elapsed;
    private int _count;

    internal int Count => Volatile.Read(ref _count);

    internal int Add()
    {
        var count = Interlocked.Increment(ref _count);
        _ticks.Writer.TryWrite(silo.Clock.Elapsed - _start);
        return count;
    }

    /// <summary>The next tick, in the order in which they came.</summary>
    internal Task<TimeSpan> Next() =>
        _ticks.Reader.ReadAsync(TestContext.Current.CancellationToken).AsTask().Guarded("the timer ticks");
}
