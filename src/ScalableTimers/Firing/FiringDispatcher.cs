using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;

namespace ScalableTimers.Firing;

/// <summary>Runs expired timers: in batches on the thread pool, or one by one on the calling thread.</summary>
/// <remarks>
/// Each callback starts and ends in the execution context that its thread had before. An exception of a callback is
/// logged and counted and goes no further. No lock is held while a callback runs.
/// </remarks>
internal sealed partial class FiringDispatcher
{
    private const int MaxFreeBatches = 256;

    /// <summary>A batch that waits longer than this for a pool thread is worth a warning.</summary>
    private static readonly TimeSpan s_longPoolWait = TimeSpan.FromMilliseconds(500);

    private static readonly TimeSpan s_warningPause = TimeSpan.FromSeconds(10);

    // The dispatcher whose callback is innermost on this thread's stack, and how many of its callbacks are on that
    // stack. A callback that waits for the others must not wait for itself.
    [ThreadStatic]
    private static FiringDispatcher? s_firing;

    [ThreadStatic]
    private static int s_firingDepth;

    // The same for dispatchers further out on the stack, while callbacks of one dispatcher run inside those of another.
    [ThreadStatic]
    private static Stack<(FiringDispatcher Dispatcher, int Depth)>? s_outer;

    // Guards
    //   _workers, counters       interlocked
    //   _waiters, _isWaitedFor   _gate; _isWaitedFor is also read without it
    private readonly TickClock _clock;
    private readonly ILogger _logger;
    private readonly ConcurrentQueue<FiringBatch> _free = new();
    private readonly Lock _gate = new();
    private readonly List<FiringWaiter> _waiters = [];
    private bool _isWaitedFor;
    private int _workers;
    private long _fired;
    private long _failed;
    private long _poolWaits;
    private Longest _longestPoolWait;
    private long _warnAgainAt;

    public FiringDispatcher(TickClock clock, ILogger logger)
    {
        _clock = clock;
        _logger = logger;
    }

    /// <summary>
    /// Receives how late a sample of the timers fires. Set before the first timer; null for nobody.
    /// </summary>
    internal IDurationHistogram? Lateness { get; set; }

    /// <summary>
    /// Receives how long batches wait for threads of the pool. Set before the first timer; null for nobody.
    /// </summary>
    internal IDurationHistogram? PoolWait { get; set; }

    internal long Fired => Volatile.Read(ref _fired);

    internal long Failed => Volatile.Read(ref _failed);

    internal long PoolWaits => Volatile.Read(ref _poolWaits);

    internal TimeSpan LongestPoolWait => _clock.ToTimeSpan(_longestPoolWait.Value);

    internal FiringBatch Rent() => _free.TryDequeue(out var batch) ? batch : new FiringBatch(this);

    internal void Return(FiringBatch batch)
    {
        if (_free.Count < MaxFreeBatches)
        {
            _free.Enqueue(batch);
        }
    }

    /// <summary>
    /// Runs one item on this thread, inside a call of the clock. The thread must have entered the dispatcher.
    /// </summary>
    internal void FireHere(FiringItem item, long deadlineTick)
    {
        FireSampled(item, deadlineTick);
        AddFired(1);
    }

    /// <summary>Runs one item, and measures how late it is if somebody listens.</summary>
    internal void FireSampled(FiringItem item, long deadlineTick)
    {
        if (Lateness is not { IsWanted: true } histogram)
        {
            Fire(item);
            return;
        }

        // A listener that blocks then holds up no timer but those that wait for the callback's thread anyway.
        var lateness = _clock.ElapsedSince(deadlineTick, _clock.Now());
        Fire(item);
        Record(histogram, lateness);
    }

    /// <summary>Measures a wait for a thread of the pool if somebody listens.</summary>
    internal void SamplePoolWait(long wait)
    {
        if (PoolWait is { IsWanted: true } histogram)
        {
            Record(histogram, wait);
        }
    }

    internal void Fire(FiringItem item)
    {
        var context = new ThreadContext();
        var (outer, outerDepth) = (s_firing, s_firingDepth);
        var isInsideAnother = outer is not null && !ReferenceEquals(outer, this);
        if (isInsideAnother)
        {
            (s_outer ??= new()).Push((outer!, outerDepth));
            outerDepth = DepthFurtherOut();
        }

        s_firingDepth = outerDepth + 1;
        s_firing = this;
        FireGuarded(item);
        (s_firing, s_firingDepth) = isInsideAnother ? s_outer!.Pop() : (outer, outerDepth);

        // Only what this thread has written matters: that one of its callbacks waits.
        if (_isWaitedFor)
        {
            EndExceptions();
        }

        context.Restore();
    }

    /// <summary>
    /// Runs an item that the clock has driven since the service was disposed. It does not count as fired, and no wait
    /// for callbacks includes it.
    /// </summary>
    internal void FireSuccessor(FiringItem item)
    {
        var context = new ThreadContext();
        FireGuarded(item);
        context.Restore();
    }

    internal void AddFired(int count)
    {
        if (count > 0)
        {
            Interlocked.Add(ref _fired, count);
        }
    }

    internal void EnterWorker() => Interlocked.Increment(ref _workers);

    internal void ExitWorker()
    {
        // The decrement is a full fence. A waiter that comes now sees the decrement, or this thread sees the waiter.
        if (Interlocked.Decrement(ref _workers) >= 0 && Volatile.Read(ref _isWaitedFor))
        {
            ReleaseWaiters();
        }
    }

    /// <summary>Waits for callbacks that run or are about to run, except those on the calling thread's stack.</summary>
    internal Task WaitForOthersAsync()
    {
        // This wait includes the items after the caller's in its batch, so they must not wait for the caller.
        FiringBatch.HandOnHere(this, _clock.Now());
        var waiter = new FiringWaiter(OwnDepth());
        lock (_gate)
        {
            _waiters.Add(waiter);
            Volatile.Write(ref _isWaitedFor, true);
        }

        // Taking the gate again is the full fence that ExitWorker relies on.
        ReleaseWaiters();
        return waiter.Task;
    }

    /// <summary>Notes a wait for a thread of the pool.</summary>
    /// <param name="queuedAt">The timestamp since which the batch has waited.</param>
    /// <param name="wait">The duration of the wait, in timestamp units.</param>
    /// <returns>
    /// Whether the wait was so long that the caller must count the waiting items by <see cref="AddLate"/>.
    /// </returns>
    internal bool NotePoolWait(long queuedAt, out long wait)
    {
        wait = _clock.Now() - queuedAt;
        _longestPoolWait.Note(wait);
        return wait >= _clock.ToTimestampDuration(s_longPoolWait);
    }

    /// <summary>Counts items whose long wait ended at a timestamp.</summary>
    /// <returns>
    /// Whether the caller must call <see cref="WarnOfPoolWait"/>, because there has been no warning recently.
    /// </returns>
    internal bool AddLate(int count, long now)
    {
        Interlocked.Add(ref _poolWaits, count);
        var warnAgainAt = Volatile.Read(ref _warnAgainAt);
        return now >= warnAgainAt
            && Interlocked.CompareExchange(
                ref _warnAgainAt, now + _clock.ToTimestampDuration(s_warningPause), warnAgainAt) == warnAgainAt;
    }

    /// <summary>Logs a long wait. The logger may block.</summary>
    internal void WarnOfPoolWait(int count, long wait) => LogPoolStarved(_logger, count, _clock.ToTimeSpan(wait));

    // What a listener throws must not end the thread, and what it sets in the thread's contexts must not reach the next
    // callback.
    private void Record(IDurationHistogram histogram, long duration)
    {
        var context = new ThreadContext();
        try
        {
            histogram.Record(_clock.ToSeconds(duration));
        }
#pragma warning disable CA1031 // A listener may throw anything.
        catch (Exception)
#pragma warning restore CA1031
        {
        }

        context.Restore();
    }

    private void FireGuarded(FiringItem item)
    {
        try
        {
            item.Fire();
        }
#pragma warning disable CA1031 // A callback that throws must not stop the driver or skip another timer.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Interlocked.Increment(ref _failed);
            LogCallbackFailed(_logger, exception);
        }
    }

    private int OwnDepth() => ReferenceEquals(s_firing, this) ? s_firingDepth : DepthFurtherOut();

    private int DepthFurtherOut()
    {
        if (s_outer is { } furtherOut)
        {
            // The stack lists the innermost occurrence first. Its depth includes those further out.
            foreach (var (dispatcher, depth) in furtherOut)
            {
                if (ReferenceEquals(dispatcher, this))
                {
                    return depth;
                }
            }
        }

        return 0;
    }

    // A callback that called WaitForOthersAsync and has returned is no longer excepted, because its thread may run
    // another callback by now.
    private void EndExceptions()
    {
        lock (_gate)
        {
            foreach (var waiter in _waiters)
            {
                waiter.LimitExceptions(OwnDepth());
            }
        }
    }

    private void ReleaseWaiters()
    {
        lock (_gate)
        {
            var running = Volatile.Read(ref _workers);
            _waiters.RemoveAll(waiter => waiter.TryEnd(running));
            Volatile.Write(ref _isWaitedFor, _waiters.Count > 0);
        }
    }
}
