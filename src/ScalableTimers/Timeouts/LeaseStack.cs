using ScalableTimers.Collections;

namespace ScalableTimers.Timeouts;

/// <summary>
/// Timeouts that wait to be rented again: the last one returned first, because it is still in the cache.
/// </summary>
internal sealed class LeaseStack
{
    // Some three megabytes a processor, for what a server has in flight at some ten thousand requests a second and
    // processor.
    private const int Capacity = 8192;

    // Guards
    //   all fields   _lock; _top is also read without
    private ReentrantInterlockedLock _lock;
    private LeasedTimeout? _top;
    private int _count;
    private bool _isClosed;

    /// <summary>Keeps a timeout, unless there are many or none is kept any more.</summary>
    internal bool TryPush(LeasedTimeout leased)
    {
        _lock.Enter();
        var isKept = _count < Capacity && !_isClosed;
        if (isKept)
        {
            leased.Next = _top;
            _top = leased;
            _count++;
        }

        _lock.Exit();
        return isKept;
    }

    internal LeasedTimeout? TryPop()
    {
        if (Volatile.Read(ref _top) is null)
        {
            return null;
        }

        _lock.Enter();
        var top = _top;
        if (top is not null)
        {
            _top = top.Next;
            top.Next = null;
            _count--;
        }

        _lock.Exit();
        return top;
    }

    /// <summary>
    /// Takes out all that is kept, and keeps no more: each timeout is taken here, rented before, or refused when it is
    /// returned.
    /// </summary>
    /// <returns>The first of those that were kept.</returns>
    internal LeasedTimeout? Close()
    {
        _lock.Enter();
        var top = _top;
        _isClosed = true;
        _top = null;
        _count = 0;
        _lock.Exit();
        return top;
    }
}
