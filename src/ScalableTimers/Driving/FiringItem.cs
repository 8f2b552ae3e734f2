using ScalableTimers.Collections;

namespace ScalableTimers.Driving;

/// <summary>Something that has expired and is to run: a callback with its state, or an entry that fires itself.</summary>
internal readonly struct FiringItem
{
    private readonly object _target;
    private readonly object? _state;

    internal FiringItem(TimerCallback callback, object? state)
    {
        _target = callback;
        _state = state;
    }

    internal FiringItem(CollectionEntry entry)
    {
        _target = entry;
        _state = null;
    }

    internal void Fire()
    {
        if (_target is TimerCallback callback)
        {
            callback(_state);
        }
        else
        {
            ((CollectionEntry)_target).Fire();
        }
    }
}
