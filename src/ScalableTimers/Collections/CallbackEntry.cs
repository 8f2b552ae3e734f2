using System.Diagnostics;
using ScalableTimers.Driving;

namespace ScalableTimers.Collections;

/// <summary>A scheduled callback. Pooled: whoever holds it also holds the version that it had.</summary>
internal sealed class CallbackEntry(TimerCollection collection) : CollectionEntry(collection)
{
    private TimerCallback? _callback;
    private object? _state;

    /// <summary>Raised at each release, so that what was handed out earlier no longer matches. 64 bits do not wrap.</summary>
    internal long Version { get; private set; }

    internal void Arm(TimerCallback callback, object? state)
    {
        _callback = callback;
        _state = state;
    }

    /// <summary>Invalidates all handles and lets go of callback and state.</summary>
    internal void Disarm()
    {
        Version++;
        _callback = null;
        _state = null;
    }

    internal override FiringItem ExpireLocked()
    {
        var item = new FiringItem(_callback!, _state);
        Collection.ReleaseLocked(this);
        return item;
    }

    internal override void Fire() => throw new UnreachableException("A callback entry is released before its callback runs.");
}
