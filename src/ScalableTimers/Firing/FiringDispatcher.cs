using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;

namespace ScalableTimers.Firing;

/// <summary>Runs expired timers: in batches on the thread pool, or one by one on the calling thread.</summary>
/// <remarks>
/// Each callback leaves its thread's execution context as it was. No lock is held while a callback runs. An exception
/// from a callback is counted, and then logged or thrown, as the options say.
/// </remarks>
internal sealed partial class FiringDispatcher
{
    private const int MaxFreeBatches = 256;

    /// <summary>A batch that waits longer than this for a pool thread is worth a warning.</summary>
    private static readonly TimeSpan s_longPoolWait = TimeSpan.FromMilliseconds(500);

    /// <summary>A callback that holds the driver's thread longer than this is worth a warning.</summary>
    private static readonly TimeSpan s_longCallback = TimeSpan.FromMilliseconds(100);

    private static readonly TimeSpan s_warningPause = TimeSpan.FromSeconds(10);

    // The workers on this thread's stack, of any dispatcher, the innermost last.
    [ThreadStatic]
    private static List<Worker>? s_workers;

    // Guards
    //   _workers, counters   interlocked
    //   _idle                compare-exchange; set by the first thread that waits. A waiting thread sees it set
    //   _driverFreeAt        the driver's thread
    private readonly TickClock _clock;
    private readonly ILogger? _logger;
    private readonly bool _logsExceptions;
    private readonly bool _throwsOnPool;
    private readonly ConcurrentQueue<FiringBatch> _free = new();
    private Histogram<double>? _lateness;
    private TagList _latenessTags;
    private TaskCompletionSource? _idle;
    private int _workers;
    private long _fired;
    private long _failed;
    private long _late;
    private long _warnAgainAt;
    private long _driverFreeAt;

    /// <param name="clock">The service's clock.</param>
    /// <param name="logger">The logger, if there is one.</param>
    /// <param name="exceptions">What happens to an exception of a callback.</param>
    /// <param name="throwsOnPool">
    /// Whether it is thrown on the pool: one that a handler of the process lets pass must not end the driver's thread.
    /// </param>
    public FiringDispatcher(
        TickClock clock,
        ILogger? logger,
        CallbackExceptions exceptions = CallbackExceptions.Throw,
        bool throwsOnPool = false)
    {
        _clock = clock;
        _logger = logger;
        _logsExceptions = exceptions == CallbackExceptions.Log;
        _throwsOnPool = throwsOnPool;
    }

    internal long Fired => Volatile.Read(ref _fired);

    internal long Failed => Volatile.Read(ref _failed);

    /// <summary>How many timers have waited long for a pool thread.</summary>
    internal long Late => Volatile.Read(ref _late);

    internal FiringBatch Rent() => _free.TryDequeue(out var batch) ? batch : new FiringBatch(this);

    internal void Return(FiringBatch batch)
    {
        if (_free.Count < MaxFreeBatches)
        {
            _free.Enqueue(batch);
        }
    }

    /// <summary>Drops the idle batches of a service that has been disposed.</summary>
    internal void Close() => _free.Clear();

    /// <summary>Sets the histogram of how late a sample of the timers fires. Called before the first timer.</summary>
    internal void MeasureLateness(Histogram<double> histogram, TagList tags)
    {
        _lateness = histogram;
        _latenessTags = tags;
    }

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
        if (_lateness is not { Enabled: true } histogram)
        {
            Fire(item);
            return;
        }

        // Record after firing: a blocking listener then delays only timers that wait for this thread anyway.
        var lateness = _clock.ElapsedSince(deadlineTick, _clock.Now());
        Fire(item);
        Record(histogram, lateness);
    }

    internal void Fire(FiringItem item)
    {
        var context = new ThreadContext();
        try
        {
            item.Fire();
        }
        catch (Exception exception) when (IsCaught())
        {
            Handle(exception);
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

    /// <summary>Counts a worker that is about to begin on another thread, by <see cref="EnterThread"/>.</summary>
    internal void AddWorker() => Interlocked.Increment(ref _workers);

    /// <summary>Makes this thread a worker that has been counted.</summary>
    internal void EnterThread(FiringBatch? batch) => (s_workers ??= []).Add(new Worker(this, batch, HasLeft: false));

    /// <summary>Makes this thread a worker.</summary>
    internal void BeginWorker(FiringBatch? batch = null)
    {
        AddWorker();
        EnterThread(batch);
    }

    /// <summary>Ends this thread's innermost worker.</summary>
    internal void EndWorker()
    {
        var workers = s_workers!;
        var worker = workers[^1];
        workers.RemoveAt(workers.Count - 1);
        if (!worker.HasLeft)
        {
            Discount();
        }
    }

    /// <summary>
    /// Stops counting this thread's innermost worker while it runs an item that no disposal waits for. The rest of its
    /// batch is left to a worker that was queued before.
    /// </summary>
    /// <returns>Whether <see cref="StepIn"/> must follow, before the worker takes another item.</returns>
    internal bool StepOut()
    {
        ref var worker = ref CollectionsMarshal.AsSpan(s_workers)[^1];
        if (worker.HasLeft)
        {
            return false;
        }

        worker.HasLeft = true;
        Discount();
        return true;
    }

    /// <summary>Counts the worker again.</summary>
    internal void StepIn()
    {
        AddWorker();
        CollectionsMarshal.AsSpan(s_workers)[^1].HasLeft = false;
    }

    /// <summary>
    /// Whether this thread's innermost worker is no longer counted, because one of its callbacks waits for all others.
    /// Such a worker takes no more items.
    /// </summary>
    internal bool HasLeftHere() => _idle is not null && s_workers![^1].HasLeft;

    /// <summary>Waits for callbacks that run or are about to run, except those on the calling thread's stack.</summary>
    internal Task WaitForOthersAsync()
    {
        var idle = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        idle = Interlocked.CompareExchange(ref _idle, idle, null) ?? idle;

        // Stop counting this thread's workers. The rest of their batches goes to others, which are counted.
        foreach (ref var worker in CollectionsMarshal.AsSpan(s_workers))
        {
            if (ReferenceEquals(worker.Dispatcher, this) && !worker.HasLeft)
            {
                worker.HasLeft = true;
                worker.Batch?.HandOn();
                Discount();
            }
        }

        if (Volatile.Read(ref _workers) == 0)
        {
            idle.TrySetResult();
        }

        return idle.Task;
    }

    /// <summary>Whether items have waited long enough for a pool thread to be counted as late.</summary>
    /// <param name="queuedAt">The timestamp at which they began to wait.</param>
    /// <param name="wait">The duration of the wait, in timestamp units.</param>
    internal bool IsLongWait(long queuedAt, out long wait)
    {
        wait = _clock.Now() - queuedAt;
        return wait >= _clock.ToTimestampDuration(s_longPoolWait);
    }

    /// <summary>Counts items whose long wait ended at a timestamp.</summary>
    /// <returns>
    /// Whether the caller must call <see cref="WarnOfPoolWait"/>, because there has been no warning recently.
    /// </returns>
    internal bool AddLate(int count, long now)
    {
        Interlocked.Add(ref _late, count);
        return IsTimeToWarn(now);
    }

    /// <summary>Logs a long wait. The logger may block.</summary>
    internal void WarnOfPoolWait(int count, long wait)
    {
        if (_logger is not null)
        {
            LogPoolStarved(_logger, count, _clock.ToTimeSpan(wait));
        }
    }

    /// <summary>Notes that the driver's thread is about to run callbacks.</summary>
    internal void BeginDriver(long now) => _driverFreeAt = now;

    /// <summary>Warns about the item that the driver's thread has just run, if it took long.</summary>
    internal void WatchDriver(FiringItem item)
    {
        var now = _clock.Now();
        var duration = now - _driverFreeAt;
        _driverFreeAt = now;
        if (duration >= _clock.ToTimestampDuration(s_longCallback) && _logger is { } logger && IsTimeToWarn(now))
        {
            LogDriverBlocked(logger, item.Describe() ?? "(unknown)", _clock.ToTimeSpan(duration));
            _driverFreeAt = _clock.Now();
        }
    }

    private void Discount()
    {
        // The decrement is a full fence: a waiter that comes now sees the decrement, or this thread sees the waiter.
        if (Interlocked.Decrement(ref _workers) == 0)
        {
            Volatile.Read(ref _idle)?.TrySetResult();
        }
    }

    // Called as a filter, so that an exception which is not caught ends the process where it was thrown.
    private bool IsCaught()
    {
        Interlocked.Increment(ref _failed);
        return _logsExceptions || _throwsOnPool;
    }

    private void Handle(Exception exception)
    {
        if (_logsExceptions)
        {
            LogCallbackFailed(_logger!, exception);
        }
        else
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                static failure => ((ExceptionDispatchInfo)failure!).Throw(), ExceptionDispatchInfo.Capture(exception));
        }
    }

    private bool IsTimeToWarn(long now)
    {
        var warnAgainAt = Volatile.Read(ref _warnAgainAt);
        return now >= warnAgainAt
            && Interlocked.CompareExchange(
                ref _warnAgainAt, now + _clock.ToTimestampDuration(s_warningPause), warnAgainAt) == warnAgainAt;
    }

    // A listener's exception must not end the thread, and its changes to the thread's contexts must not reach the next
    // callback.
    private void Record(Histogram<double> histogram, long duration)
    {
        var context = new ThreadContext();
        try
        {
            histogram.Record(_clock.ToSeconds(duration), in _latenessTags);
        }
#pragma warning disable CA1031 // A listener may throw anything.
        catch (Exception)
#pragma warning restore CA1031
        {
        }

        context.Restore();
    }

    /// <summary>An activity of one thread that counts as a running callback.</summary>
    private record struct Worker(FiringDispatcher Dispatcher, FiringBatch? Batch, bool HasLeft);
}
