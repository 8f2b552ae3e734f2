namespace Orleans.Timers.Scalable;

/// <summary>What adoption needs of Orleans' static timer manager, a compiled accessor each.</summary>
/// <remarks>
/// The manager keeps a singly linked list of timers for each thread that ever registered one, each under a lock of its own, and
/// a .NET timer that looks through all lists. Accessors of a queue's content want its lock held.
/// </remarks>
internal sealed record StaticTimerManager
{
    /// <summary>The manager's type, closed over the type of its timers. All of its state is static.</summary>
    internal required Type Type { get; init; }

    /// <summary>How often the manager looks through its lists by itself.</summary>
    internal required TimeSpan Period { get; init; }

    /// <summary>The .NET timer that makes it look.</summary>
    internal required Func<Timer> Checker { get; init; }

    /// <summary>All lists; null where no thread has taken the place yet.</summary>
    internal required Func<object?[]> Queues { get; init; }

    /// <summary>Whether a list holds timers. May be asked without its lock, and is then a hint.</summary>
    internal required Func<object, bool> HasTimers { get; init; }

    internal required Func<object, bool> TryLock { get; init; }

    internal required Action<object> Unlock { get; init; }

    /// <summary>Empties a list and tells that it has been served. Returns its first timer.</summary>
    internal required Func<object, object?> Detach { get; init; }

    /// <summary>Returns a timer's successor and cuts the link to it. For timers that are in no list any more.</summary>
    internal required Func<object, object?> TakeNext { get; init; }

    /// <summary>When a timer is due, by the wall clock (UTC).</summary>
    internal required Func<object, DateTime> DueTime { get; init; }

    internal required Func<object, CancellationToken> Token { get; init; }

    /// <summary>Ends a timer's wait with true.</summary>
    internal required Action<object> OnTimeout { get; init; }

    /// <summary>Ends a timer's wait with false.</summary>
    internal required Action<object> OnCanceled { get; init; }

    /// <summary>Adds a timer to the list of the calling thread, as Orleans does.</summary>
    internal required Action<object> Register { get; init; }
}
