namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>Visits the manager's lists one after another, and serves the timers that it finds.</summary>
/// <remarks>
/// Visits are numbered, because the order in which timers of several lists were set shows only in when they were found.
/// Used by one thread.
/// </remarks>
internal sealed class ServedTimerLists(StaticTimerManager manager, ServedTimers timers)
{
    /// <summary>The number of the last visit to each list, by its place.</summary>
    private readonly List<long> _visits = [];
    private long _visit;

    /// <summary>Returns whether there were new timers.</summary>
    internal bool ServeNew()
    {
        var hasFound = false;
        var lists = manager.Queues();
        _visits.AddRange(new long[lists.Length - _visits.Count]);
        for (var place = 0; place < lists.Length; place++)
        {
            if (lists[place] is not { } list)
            {
                continue;
            }

            // Without the list's lock, this may miss a timer that is being set, but none that was set before another
            // timer of the same worker that has been found: the worker's lock is between them.
            if (!manager.HasTimers(list))
            {
                _visits[place] = ++_visit;
                continue;
            }

            // Skip a locked list: a timer is being added. The next poll takes it.
            if (!manager.TryLock(list))
            {
                continue;
            }

            object? chain;
            try
            {
                chain = manager.Detach(list);
            }
            finally
            {
                manager.Unlock(list);
            }

            var previous = _visits[place];
            _visits[place] = ++_visit;
            timers.Serve(chain, _visit, previous);
            hasFound = true;
        }

        return hasFound;
    }
}
