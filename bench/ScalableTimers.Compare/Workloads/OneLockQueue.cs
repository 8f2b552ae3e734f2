namespace ScalableTimers.Compare.Workloads;

/// <summary>
/// Timers as in .NET Framework: one lock around one unordered list, and one native timer set for the next due time.
/// </summary>
/// <remarks>
/// For comparison only. Nothing fires, because the timers are disposed of first. A new timer goes to the front, and
/// sets the native timer only if it is due before all others. A .NET timer stands in for the native one.
/// </remarks>
internal sealed class OneLockQueue : IDisposable
{
    // Guards
    //   _first, _nextLookAt, and the links of all timers   _lock
    private readonly Lock _lock = new();
    private readonly Timer _native = new(static _ => { }, null, Timeout.Infinite, Timeout.Infinite);
    private Node? _first;
    private long _nextLookAt = long.MaxValue;

    public void Dispose() => _native.Dispose();

    internal Node Start(TimerCallback callback, TimeSpan dueTime)
    {
        var now = Environment.TickCount64;
        var timer = new Node(this, callback) { DueAt = now + (long)dueTime.TotalMilliseconds };
        lock (_lock)
        {
            timer.Next = _first;
            _first?.Previous = timer;
            _first = timer;
            if (timer.DueAt < _nextLookAt)
            {
                _nextLookAt = timer.DueAt;
                _native.Change(timer.DueAt - now, Timeout.Infinite);
            }
        }

        return timer;
    }

    private void Remove(Node timer)
    {
        lock (_lock)
        {
            timer.Previous?.Next = timer.Next;
            timer.Next?.Previous = timer.Previous;
            if (ReferenceEquals(_first, timer))
            {
                _first = timer.Next;
            }
        }
    }

    /// <summary>A timer. Its finaliser stops it, as .NET's do.</summary>
    internal sealed class Node(OneLockQueue queue, TimerCallback callback) : IDisposable
    {
        ~Node() => queue.Remove(this);

        internal readonly TimerCallback Callback = callback;
        internal long DueAt;
        internal Node? Previous;
        internal Node? Next;

        public void Dispose()
        {
            queue.Remove(this);
            GC.SuppressFinalize(this);
        }
    }
}
