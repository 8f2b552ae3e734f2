using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;

namespace ScalableTimers.Firing;

/// <summary>Runs what has expired: in batches on the thread pool, or one by one on the calling thread.</summary>
/// <remarks>
/// Each callback starts and ends in the execution context that its thread had before. An exception is logged and
/// counted and goes no further. No lock is held while a callback runs.
/// </remarks>
internal sealed partial class FiringDispatcher
{
    private const int MaxFreeBatches = 256;

    /// <summary>A batch that waits longer than this for a pool thread is worth a warning.</summary>
    private static readonly TimeSpan s_longPoolWait = TimeSpan.FromMilliseconds(500);

    private static readonly TimeSpan s_warningPause = TimeSpan.FromSeconds(10);

    // How many callbacks of which dispatcher are on this thread's stack: a callback that waits for the others must not
    // wait for itself.
    [ThreadStatic]
    private static FiringDispatcher? s_firing;

    [ThreadStatic]
    private static int s_firingDepth;

    // The same of dispatchers further out, while callbacks of one run inside those of another.
    [ThreadStatic]
    private static Stack<(FiringDispatcher Dispatcher, int Depth)>? s_outer;

    // Guards
    //   _workers, counters       interlocked
    //   _waiters, _isWaitedFor   _gate; _isWaitedFor is also read without
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

    /// <summary>Where the pool's threads come from. Set by tests, before the first timer.</summary>
    internal ThreadSupply Supply { get; set; } = ThreadSupply.Runtime;

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

    /// <summary>Runs one item on this thread, which has entered, on behalf of the clock that called.</summary>
    internal void FireHere(FiringItem item)
    {
        Fire(item);
        AddFired(1);
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
        if (Volatile.Read(ref _isWaitedFor))
        {
            EndExceptions();
        }

        context.Restore();
    }

    /// <summary>
    /// Runs an item that the clock drives since the service was disposed: it counts neither as fired nor as one that is
    /// waited for.
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
        // The decrement is a full fence: either it is seen by a waiter that comes now, or the waiter is seen here.
        if (Interlocked.Decrement(ref _workers) >= 0 && Volatile.Read(ref _isWaitedFor))
        {
            ReleaseWaiters();
        }
    }

    /// <summary>Waits for callbacks that are running or about to, except those on the calling thread's stack.</summary>
    internal Task WaitForOthersAsync()
    {
        // What comes after the caller in its batch is to be waited for, and not to wait for the caller. Since never, it
        // has waited for no time.
        FiringBatch.HandOnHere(this, TryReadClock(out var now) ? now : TickClock.Never);
        var waiter = new FiringWaiter(OwnDepth());
        lock (_gate)
        {
            _waiters.Add(waiter);
            Volatile.Write(ref _isWaitedFor, true);
        }

        // Taking the gate again is the full fence that ExitWorker counts on.
        ReleaseWaiters();
        return waiter.Task;
    }

    /// <summary>Notes a wait for a thread of the pool.</summary>
    /// <param name="queuedAt">Since when.</param>
    /// <param name="wait">How long, in timestamp units.</param>
    /// <returns>
    /// Whether it was so long that those who have waited are to be counted, by <see cref="AddLate"/>.
    /// </returns>
    internal bool NotePoolWait(long queuedAt, out long wait)
    {
        if (!TryReadClock(out var now))
        {
            wait = 0;
            return false;
        }

        wait = now - queuedAt;
        _longestPoolWait.Note(wait);
        return wait >= _clock.ToTimestampDuration(s_longPoolWait);
    }

    /// <summary>Counts items that have waited for long until a moment.</summary>
    /// <returns>
    /// Whether the caller is to call <see cref="WarnOfPoolWait"/>, because none was warned of recently.
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

    // On a thread of the pool, where a clock that fails would end the process for the sake of a figure.
    private bool TryReadClock(out long now)
    {
        try
        {
            now = _clock.Now();
            return true;
        }
#pragma warning disable CA1031 // Whatever a user's clock throws.
        catch (Exception)
#pragma warning restore CA1031
        {
            now = 0;
            return false;
        }
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
            // The innermost comes first, and has counted those further out.
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

    // A callback that asked and has returned is no longer excepted: its thread may be running another one by now.
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
