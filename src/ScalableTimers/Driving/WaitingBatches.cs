using System.Collections.Concurrent;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>
/// The batches that wait for a thread of the pool. One that no thread serves for a whole tick is offered again, before
/// all other work of the pool.
/// </summary>
/// <remarks>
/// Timeouts are what ends the waits that block a pool's threads, so they must not wait behind these. .NET gives the
/// callbacks of its own timers, and nothing else, a queue that all threads of the pool serve first. So one of .NET's
/// timers, due at once, runs the batch. Where a thread is free, the driver only looks once more at the next tick.
/// </remarks>
internal sealed class WaitingBatches
{
    // Guards
    //   _waiting   the driver
    private readonly List<FiringBatch> _waiting = [];
    private readonly ConcurrentQueue<FiringBatch> _offered = new();
    private ITimer? _timer;

    /// <summary>When the driver must look next, after a look or an addition at a tick.</summary>
    internal long NextLook(long nowTick) => _waiting.Count == 0 ? TimerWheel.Never : nowTick + 1;

    /// <summary>Adds a batch that is about to be queued.</summary>
    internal void Add(FiringBatch batch, long nowTick)
    {
        batch.BeginWatch(nowTick);
        _waiting.Add(batch);
    }

    /// <summary>Forgets the batches whose items have all been taken, and offers again those that wait.</summary>
    internal void Look(long nowTick)
    {
        for (var i = _waiting.Count - 1; i >= 0; i--)
        {
            var batch = _waiting[i];
            if (batch.IsTaken(nowTick, out var needsOffer))
            {
                _waiting[i] = _waiting[^1];
                _waiting.RemoveAt(_waiting.Count - 1);
            }
            else if (needsOffer)
            {
                _offered.Enqueue(batch);
            }
        }

        // Also for offers that no thread has taken: the one that took the offers before them may have been blocked.
        if (!_offered.IsEmpty)
        {
            (_timer ??= NewTimer()).Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan);
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
