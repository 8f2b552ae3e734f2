using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>Entries that are not linked, chained by the links that they have no other use for. Whoever uses it guards it.</summary>
internal struct EntryStack
{
    private TimerEntry? _top;
    private int _count;

    /// <summary>How many there are. Also without what guards it, as a guess.</summary>
    internal readonly int Count => Volatile.Read(in _count);

    /// <summary>Adds an entry, unless there are as many as that already.</summary>
    internal bool TryPush(TimerEntry entry, int limit)
    {
        if (_count >= limit)
        {
            return false;
        }

        entry.Older = _top;
        _top = entry;
        _count++;
        return true;
    }

    internal TimerEntry? TryPop()
    {
        var entry = _top;
        if (entry is not null)
        {
            _top = entry.Older;
            entry.Older = null;
            _count--;
        }

        return entry;
    }

    internal void Clear() => this = default;
}
