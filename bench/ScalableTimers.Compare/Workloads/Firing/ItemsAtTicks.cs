using System.Collections.Concurrent;
using System.Diagnostics;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>
/// The simplest timer with a resolution of 10 ms: a thread wakes after each tick and queues an item for each due shot.
/// </summary>
internal sealed class ItemsAtTicks : IDisposable
{
    private static readonly long s_tick = Stopwatch.Frequency / 100;

    private readonly ConcurrentQueue<Shot> _new = new();
    private readonly PriorityQueue<Shot, long> _pending = new();
    private readonly Thread _thread;
    private bool _isOver;

    internal ItemsAtTicks()
    {
        _thread = new Thread(Run);
        _thread.Start();
    }

    internal void Schedule(Shot shot, TimeSpan dueTime) => _new.Enqueue(shot);

    public void Dispose()
    {
        Volatile.Write(ref _isOver, true);
        _thread.Join();
    }

    private void Run()
    {
        while (!Volatile.Read(ref _isOver))
        {
            // Waits are in whole milliseconds, and may take longer than requested.
            var before = Stopwatch.GetTimestamp();
            var rest = Stopwatch.GetElapsedTime(before, (before / s_tick + 1) * s_tick);
            Thread.Sleep((int)Math.Ceiling(rest.TotalMilliseconds));
            var now = Stopwatch.GetTimestamp();
            while (_new.TryDequeue(out var shot))
            {
                _pending.Enqueue(shot, shot.DueAt);
            }

            while (_pending.TryPeek(out var due, out var dueAt) && dueAt <= now)
            {
                _ = _pending.Dequeue();
                ThreadPool.UnsafeQueueUserWorkItem(static shot => shot.Hit(), due, preferLocal: false);
            }
        }
    }
}
