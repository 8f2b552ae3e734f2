using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;

namespace ScalableTimers.Firing;

/// <summary>Runs expired timers: in batches on the pool, or in virtual time one by one on the calling thread.</summary>
/// <remarks>
/// Each callback leaves its thread's execution context as it was. No lock is held while a callback runs. An exception
/// from a callback is counted, and then logged or thrown, as the options say.
/// </remarks>
internal sealed partial class FiringDispatcher
{
    private const int MaxFreeBatches = 256;

    // Guards
    //   counters   interlocked
    private readonly ILogger? _logger;
    private readonly bool _logsExceptions;
    private readonly ConcurrentQueue<FiringBatch> _free = new();
    private long _fired;
    private long _failed;

    /// <param name="clock">The service's clock.</param>
    /// <param name="logger">The logger, if there is one.</param>
    /// <param name="exceptions">What happens to an exception of a callback.</param>
    public FiringDispatcher(
        TickClock clock, ILogger? logger, CallbackExceptions exceptions = CallbackExceptions.Throw)
    {
        Clock = clock;
        Watch = new FiringWatch(clock, logger);
        Urgent = new UrgentBatches(clock);
        _logger = logger;
        _logsExceptions = exceptions == CallbackExceptions.Log;
    }

    internal long Fired => Volatile.Read(ref _fired);

    internal long Failed => Volatile.Read(ref _failed);

    internal TickClock Clock { get; }

    internal FiringWorkers Workers { get; } = new();

    internal UrgentBatches Urgent { get; }

    internal FiringWatch Watch { get; }

    internal FiringBatch Rent() => _free.TryDequeue(out var batch) ? batch : new FiringBatch(this);

    internal void Return(FiringBatch batch)
    {
        if (_free.Count < MaxFreeBatches)
        {
            _free.Enqueue(batch);
        }
    }

    /// <summary>Drops the idle batches of a service that has been disposed.</summary>
    internal void DropIdle() => _free.Clear();

    /// <summary>Runs one item on this thread, inside a call of the clock.</summary>
    internal void FireHere(FiringItem item, long deadlineTick)
    {
        try
        {
            FireSampled(item, deadlineTick);
        }
        finally
        {
            AddFired(1);
        }
    }

    /// <summary>Runs one item, and measures how late it is if there is a listener.</summary>
    internal void FireSampled(FiringItem item, long deadlineTick)
    {
        // Recorded after firing: a listener that blocks then delays only timers that wait for this thread anyway.
        var lateness = Watch.LatenessOf(deadlineTick);
        Fire(item);
        if (lateness is { } duration)
        {
            Watch.Record(duration);
        }
    }

    internal void Fire(FiringItem item)
    {
        var context = new ThreadContext();
        try
        {
            item.Fire();
        }
        catch (Exception exception) when (IsLogged())
        {
            LogCallbackFailed(_logger!, exception);
        }
        finally
        {
            context.Restore();
        }
    }

    internal void AddFired(int count)
    {
        if (count > 0)
        {
            Interlocked.Add(ref _fired, count);
        }
    }

    // Called as a filter, so that an exception which is not caught ends the process where it was thrown.
    private bool IsLogged()
    {
        Interlocked.Increment(ref _failed);
        return _logsExceptions;
    }

    [LoggerMessage(1, LogLevel.Error, "A timer callback threw an exception. Other timers are not affected.")]
    private static partial void LogCallbackFailed(ILogger logger, Exception exception);
}
