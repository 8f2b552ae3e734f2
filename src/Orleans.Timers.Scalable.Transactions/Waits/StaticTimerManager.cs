namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>Compiled accessors to Orleans' static timer manager: those needed to serve its timers.</summary>
/// <remarks>
/// The manager keeps a singly linked list of timers for each thread that ever registered one. Each list has its own
/// lock. A .NET timer scans all lists. Callers of accessors to a list's content must hold the list's lock.
/// </remarks>
internal sealed record StaticTimerManager
{
    /// <summary>How often the manager itself scans its lists.</summary>
    internal required TimeSpan Period { get; init; }

    /// <summary>The .NET timer that triggers the scans.</summary>
    internal required Func<Timer> Checker { get; init; }

    /// <summary>All lists. An element is null while no thread has taken its slot.</summary>
    internal required Func<object?[]> Queues { get; init; }

    /// <summary>Whether a list holds timers. Without the list's lock the answer is a hint.</summary>
    internal required Func<object, bool> HasTimers { get; init; }

    internal required Func<object, bool> TryLock { get; init; }

    internal required Action<object> Unlock { get; init; }

    /// <summary>Empties a list and clears its count of missed scans. Returns its first timer.</summary>
    internal required Func<object, object?> Detach { get; init; }

    /// <summary>Returns a timer's successor and cuts the link to it. For timers of a detached list.</summary>
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
