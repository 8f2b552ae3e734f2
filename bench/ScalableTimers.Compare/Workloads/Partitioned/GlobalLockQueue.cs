namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>
/// Timers as .NET Framework has them: one lock around one list in no order, and one native timer that is set for the
/// next due one.
/// </summary>
/// <remarks>
/// Written for comparison only. As in .NET Framework, a new timer goes to the front, and sets the native timer only if
/// it is due before all others. When the native timer fires, the whole list is walked under the lock. The due timers go
/// to the pool, and the others determine the next look. A timer here captures no execution context, and is a node and a
/// handle with a finaliser, without the third object that .NET's has. One of .NET's timers replaces the native one.
/// </remarks>
internal sealed class GlobalLockQueue : IDisposable
{
    // Guards
    //   _first, _nextLookAt, and the links of all timers   _lock
    private readonly Lock _lock = new();
    private readonly Timer _native;
    private GlobalLockTimer? _first;
    private long _nextLookAt = long.MaxValue;

    internal GlobalLockQueue() =>
        _native = new Timer(
            static queue => ((GlobalLockQueue)queue!).FireDue(), this, Timeout.Infinite, Timeout.Infinite);

    public void Dispose() => _native.Dispose();

    /// <summary>Starts a timer with a handle, as users do.</summary>
    internal GlobalLockTimerHandle StartWithHandle(TimerCallback callback, object? state, TimeSpan dueTime) =>
        new(Start(callback, state, dueTime));

    /// <summary>Starts a timer without a handle, as for a delay that nobody stops.</summary>
    internal GlobalLockTimer Start(TimerCallback callback, object? state, TimeSpan dueTime)
    {
        var timer = new GlobalLockTimer(this, callback, state);
        Link(timer, dueTime);
        return timer;
    }

    internal void Link(GlobalLockTimer timer, TimeSpan dueTime)
    {
        lock (_lock)
        {
            if (timer.HasEnded)
            {
                return;
            }

            if (timer.IsLinked)
            {
                Unlink(timer);
            }

            var now = Environment.TickCount64;
            timer.DueAt = now + (long)dueTime.TotalMilliseconds;
            timer.Next = _first;
            _first?.Previous = timer;
            _first = timer;
            timer.IsLinked = true;
            LookNoLaterThan(timer.DueAt, now);
        }
    }

    /// <summary>Starts a delay that nobody stops.</summary>
    internal Task Delay(TimeSpan dueTime)
    {
        var ended = new TaskCompletionSource();
        Start(static ended => ((TaskCompletionSource)ended!).SetResult(), ended, dueTime);
        return ended.Task;
    }

    /// <summary>Ends a timer for good.</summary>
    internal void Remove(GlobalLockTimer timer)
    {
        lock (_lock)
        {
            timer.HasEnded = true;
            if (timer.IsLinked)
            {
                Unlink(timer);
            }
        }
    }

    private void FireDue()
    {
        lock (_lock)
        {
            var now = Environment.TickCount64;
            var earliest = long.MaxValue;
            _nextLookAt = long.MaxValue;
            for (var timer = _first; timer is not null;)
            {
                var next = timer.Next;
                if (timer.DueAt <= now)
                {
                    Unlink(timer);
                    ThreadPool.UnsafeQueueUserWorkItem(timer, preferLocal: false);
                }
                else
                {
                    earliest = Math.Min(earliest, timer.DueAt);
                }

                timer = next;
            }

            LookNoLaterThan(earliest, now);
        }
    }

    // Called under the lock.
    private void LookNoLaterThan(long dueAt, long now)
    {
        if (dueAt < _nextLookAt)
        {
            _nextLookAt = dueAt;
            _native.Change(Math.Max(0, dueAt - now), Timeout.Infinite);
        }
    }

    // Called under the lock.
    private void Unlink(GlobalLockTimer timer)
    {
        timer.Previous?.Next = timer.Next;
        timer.Next?.Previous = timer.Previous;
        if (ReferenceEquals(_first, timer))
        {
            _first = timer.Next;
        }

        timer.Previous = timer.Next = null;
        timer.IsLinked = false;
    }
}
