using System.Diagnostics;
using ScalableTimers.Queues;

namespace ScalableTimers.Timeouts;

/// <summary>Timeouts that wait to be rented again, the last one first, because it is still in the cache.</summary>
internal sealed class LeaseStack
{
    // Takes some three megabytes per processor. That covers the requests in flight on a server with some ten thousand
    // requests a second per processor.
    private const int Capacity = 8192;

    // Guards
    //   all fields   _lock; _top is also read without it
    //
    // Invariant whenever _lock is free: _count timeouts are linked from _top.
    private ReentrantInterlockedLock _lock;
    private LeasedTimeout? _top;
    private int _count;

    /// <summary>Keeps a timeout, unless the stack is full.</summary>
    internal bool TryPush(LeasedTimeout leased)
    {
        _lock.Enter();
        var isKept = _count < Capacity;
        if (isKept)
        {
            leased.Next = _top;
            AssertCountLocked();
            _top = leased;
            _count++;
        }

        _lock.Exit();
        return isKept;
    }

    internal LeasedTimeout? TryPop()
    {
        // A guess, which the lock decides.
        if (_top is null)
        {
            return null;
        }

        _lock.Enter();
        var top = _top;
        if (top is not null)
        {
            AssertCountLocked();
            _top = top.Next;
            top.Next = null;
            _count--;
        }

        _lock.Exit();
        return top;
    }

    // Between what is read and what is written: there the exploration lets others in when it leaves out the lock.
    [Conditional("DEBUG")]
    private void AssertCountLocked()
    {
        Debug.Assert(_lock.IsHeldByCurrentThread, "Called without _lock: another thread may be mid-change.");
        Debug.Assert(_top is null == (_count == 0), "The count does not match the timeouts that are kept.");
    }
}
