using System.Collections.Concurrent;
using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>
/// The batches that wait for a thread of the pool. If the pool has other work queued, or if no thread serves a batch
/// until the driver looks again, the batch is offered again, before all that work.
/// </summary>
/// <remarks>
/// Timeouts are what ends the waits that block a pool's threads, so they must not wait behind these. .NET gives the
/// callbacks of its own timers, and nothing else, a queue that all threads of the pool serve first. So one of .NET's
/// timers, due at once, runs the batch. While threads of the pool are free, a batch is begun at once, and a wake-up of
/// the driver to look would cost more than half as much as the firing. So the driver then looks again only after a
/// while, or when it is awake anyway: that is for work that was queued at the same moment and took these threads.
/// Of .NET's timers that are due together, all but one go to the end of the pool's queue. So what has been offered for
/// long gets a thread of its own: but one at most, and late, because what it hands to the pool goes to that end too.
/// </remarks>
/// <param name="rareLook">The number of ticks after which to look again while threads of the pool are free.</param>
/// <param name="patience">The number of ticks for which an offer waits for the pool.</param>
internal sealed class WaitingBatches(long rareLook, long patience)
{
    // Guards
    //   _offered       any thread
    //   all others     the driver
    private readonly List<FiringBatch> _waiting = [];
    private readonly ConcurrentQueue<FiringBatch> _offered = new();
    private bool _hasQueue;
    private bool _hasFreeThreads;
    private ITimer? _timer;
    private long _patientUntil;
    private Thread? _helper;

    /// <summary>
    /// Whether one of .NET's timers calls the driver: its thread is the pool's, and is then free for the batch. If it
    /// left the batch to another timer, it would first take other work.
    /// </summary>
    internal bool IsOnPool { private get; set; }

    /// <summary>Forgets the batches whose items have all been taken, and offers again those that wait.</summary>
    internal void BeginPass(long nowTick)
    {
        if (_offered.IsEmpty)
        {
            _patientUntil = nowTick + patience;
        }

        _hasQueue = ThreadPool.PendingWorkItemCount > 0;
        _hasFreeThreads = !_hasQueue && (IsOnPool || HasFreeThreads());
        for (var i = _waiting.Count - 1; i >= 0; i--)
        {
            var batch = _waiting[i];
            if (!batch.IsWaiting)
            {
                _waiting[i] = _waiting[^1];
                _waiting.RemoveAt(_waiting.Count - 1);
            }
            else if (batch.IsStuck(nowTick))
            {
                Offer(batch);
            }
        }
    }

    /// <summary>Starts a batch on the pool.</summary>
    internal void Start(FiringBatch batch, Timestamp now, long nowTick)
    {
        batch.BeginWatch(nowTick);
        _waiting.Add(batch);
        batch.Start(now);
        if (_hasQueue)
        {
            Offer(batch);
        }
    }

    /// <returns>The tick at which the driver must look again.</returns>
    internal long EndPass(long nowTick)
    {
        // Also for offers that no thread has taken: the one that took the offers before them may have been blocked.
        if (!IsOnPool && !_offered.IsEmpty)
        {
            ServeOffered(nowTick);
        }

        return _waiting.Count == 0 ? TimerWheel.Never : nowTick + (_hasFreeThreads ? rareLook : 1);
    }

    /// <summary>
    /// Runs what is offered, if the driver is called by one of .NET's timers. Called when the driver is idle again,
    /// because callbacks may block.
    /// </summary>
    internal void AfterPasses()
    {
        if (IsOnPool)
        {
            RunOffered();
        }
    }

    private void ServeOffered(long nowTick)
    {
        if (nowTick < _patientUntil || _helper is { IsAlive: true })
        {
            (_timer ??= NewTimer()).Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan);
            return;
        }

        _patientUntil = nowTick + patience;
        _helper = new Thread(RunOffered) { IsBackground = true, Name = "ScalableTimers batches" };
        try
        {
            _helper.UnsafeStart();
        }
        catch (OutOfMemoryException)
        {
            // There is no thread to be had. A later look tries again.
        }
    }

    // While fewer threads than its minimum work, the pool has one for each item at once.
    private static bool HasFreeThreads()
    {
        ThreadPool.GetMaxThreads(out var most, out _);
        ThreadPool.GetAvailableThreads(out var available, out _);
        ThreadPool.GetMinThreads(out var least, out _);
        return most - available < least;
    }

    private void Offer(FiringBatch batch)
    {
        if (batch.TryOffer())
        {
            _offered.Enqueue(batch);
        }
    }

    private ITimer NewTimer()
    {
        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        return TimeProvider.System.CreateTimer(
            static batches => ((WaitingBatches)batches!).RunOffered(),
            this,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
    }

    private void RunOffered()
    {
        while (_offered.TryDequeue(out var batch))
        {
            batch.RunOffered();
        }
    }
}
