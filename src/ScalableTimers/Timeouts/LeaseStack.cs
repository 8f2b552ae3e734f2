using ScalableTimers.Collections;

namespace ScalableTimers.Timeouts;

/// <summary>Timeouts that wait to be rented again: the last one returned first, because it is still in the cache.</summary>
internal sealed class LeaseStack
{
    private const int Capacity = 1024;

    private ReentrantInterlockedLock _lock;
    private LeasedTimeout? _top;
    private int _count;

    /// <summary>Keeps a timeout, or lets it go if there are many.</summary>
    internal void Push(LeasedTimeout leased)
    {
        _lock.Enter();
        if (_count < Capacity)
        {
            leased.Next = _top;
            _top = leased;
            _count++;
        }

        _lock.Exit();
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
}
