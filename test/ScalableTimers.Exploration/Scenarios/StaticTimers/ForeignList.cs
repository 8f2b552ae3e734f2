using Orleans.Timers.Scalable.Transactions.Waits;

namespace ScalableTimers.Exploration.Scenarios.StaticTimers;

/// <summary>The timers that one thread has set, as a static timer manager keeps them.</summary>
internal sealed class ForeignList
{
    private int _isLocked;
    private ForeignTimer? _first;
    private ForeignTimer? _last;

    internal static StaticTimerManager Manager(ForeignList[] lists) => ForeignTimer.Manager with
    {
        Queues = () => lists,
        HasTimers = static list => Volatile.Read(ref ((ForeignList)list)._first) is not null,
        TryLock = static list => ((ForeignList)list).TryLock(),
        Unlock = static list => ((ForeignList)list).Unlock(),
        Detach = static list => ((ForeignList)list).Detach(),
    };

    internal void Add(ForeignTimer timer)
    {
        while (!TryLock())
        {
            default(SpinWait).SpinOnce();
        }

        if (_last is { } last)
        {
            last.Next = timer;
        }
        else
        {
            Volatile.Write(ref _first, timer);
        }

        _last = timer;
        Unlock();
    }

    private bool TryLock() => Interlocked.CompareExchange(ref _isLocked, 1, 0) == 0;

    private void Unlock() => Volatile.Write(ref _isLocked, 0);

    private ForeignTimer? Detach()
    {
        var first = _first;
        _last = null;
        Volatile.Write(ref _first, null);
        return first;
    }
}
