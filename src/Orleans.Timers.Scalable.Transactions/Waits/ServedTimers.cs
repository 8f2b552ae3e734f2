using System.Diagnostics;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>The static timers of Orleans that wait in the plugin's timer service.</summary>
/// <remarks>
/// A timer leaves in one of four ways: it expires, its token is cancelled, it is given back to Orleans, or it is
/// dropped because its worker has set another. The thread that removes it from its group, under the lock, ends it,
/// outside the lock. Only one thread calls <see cref="Serve(object?, long, long)"/> and <see cref="GiveBack"/>.
/// </remarks>
internal sealed class ServedTimers(StaticTimerManager manager, TimerService service)
{
    // Invariant whenever _lock is free: each group in _groups has a timer.
    private readonly Lock _lock = new();
    private readonly Dictionary<CancellationToken, ServedTimerGroup> _groups = [];

    // The timers that Serve has taken from Orleans and not linked yet. If it throws, GiveBack returns them too.
    private object? _detached;
    private object? _inHand;

    // The timers that Serve is about to drop.
    private readonly List<ServedTimer> _superseded = [];
    private int _pending;

    /// <summary>The number of waiting timers.</summary>
    internal int Pending => Volatile.Read(ref _pending);

    /// <summary>The number of tokens that have a registration.</summary>
    internal int Groups => _groups.Count;

    /// <summary>The number of timers scheduled here so far.</summary>
    internal long Served { get; private set; }

    /// <summary>The number of timers dropped so far. Nothing refers to them, so the collector takes them.</summary>
    internal long Dropped { get; private set; }

    /// <summary>Serves a chain of timers detached from one of the manager's lists.</summary>
    /// <param name="chain">The timers, in the order in which they were set.</param>
    /// <param name="visit">The number of this visit to a list. Later visits, to any list, have higher numbers.</param>
    /// <param name="previous">The number of the previous visit to the same list; zero if there was none.</param>
    internal void Serve(object? chain, long visit, long previous)
    {
        // Read once, before the rest: what remains of a wait is scheduled on the monotonic clock a moment later, so no
        // timer is early.
#pragma warning disable RS0030 // The clock that the manager compares with.
        var now = DateTime.UtcNow;
#pragma warning restore RS0030
        _detached = chain;
        while (_detached is { } timer)
        {
            _detached = manager.TakeNext(timer);
            _inHand = timer;
            Serve(timer, now, visit, previous);
        }
    }

    /// <summary>Registers every waiting timer with the manager again, and returns their number.</summary>
    internal int GiveBack()
    {
        var timers = new List<object>();
        if (_inHand is { } inHand)
        {
            timers.Add(inHand);
        }

        while (_detached is { } timer)
        {
            _detached = manager.TakeNext(timer);
            timers.Add(timer);
        }

        foreach (var served in TakeAll())
        {
            served.Scheduled.Cancel();
            timers.Add(served.Timer);
        }

        _inHand = null;
        timers.ForEach(manager.Register);
        return timers.Count;
    }

    internal void Cancel(ServedTimerGroup group)
    {
        List<ServedTimer> cancelled = [];
        lock (_lock)
        {
            TakeAllLocked(group, cancelled);
        }

        foreach (var served in cancelled)
        {
            served.Scheduled.Cancel();
            manager.OnCanceled(served.Timer);
        }
    }

    private void Serve(object timer, DateTime now, long visit, long previous)
    {
        var token = manager.Token(timer);
        var dueTime = manager.DueTime(timer) - now;
        if (token.IsCancellationRequested)
        {
            _inHand = null;
            manager.OnCanceled(timer);
            return;
        }

        var served = new ServedTimer(this, timer) { Visit = visit };
        if (Link(served, previous, token) is { } newGroup)
        {
            newGroup.Register();
        }

        _superseded.ForEach(static older => older.Scheduled.Cancel());
        _superseded.Clear();

        Served++;
        var scheduled = service.Schedule(
            static served => ((ServedTimer)served!).Owner.Expire((ServedTimer)served),
            served,
            dueTime > TimeSpan.Zero ? dueTime : TimeSpan.Zero);
        lock (_lock)
        {
            if (served.Group is not null)
            {
                served.Scheduled = scheduled;
                return;
            }
        }

        // The timer was cancelled, or has fired, before its handle could be stored.
        scheduled.Cancel();
    }

    /// <summary>
    /// Links a timer into its token's group. Returns the group if it is new, so that the caller registers it.
    /// </summary>
    private ServedTimerGroup? Link(ServedTimer served, long previous, CancellationToken token)
    {
        lock (_lock)
        {
            var isKnown = _groups.TryGetValue(token, out var group);
            Debug.Assert(group is null or { Timers.Count: > 0 }, "A group without a timer is kept.");
            if (!isKnown)
            {
                group = new ServedTimerGroup(this, token);
                _groups.Add(token, group);
            }

            if (group!.IsOfOneWorker)
            {
                TakeOlderLocked(group, served.Visit, previous);
            }

            served.Group = group;
            group.Timers.Add(served);
            _pending++;
            _inHand = null;
            return isKnown ? null : group;
        }
    }

    /// <summary>Takes the timers of a worker that were certainly set before one that was found just now.</summary>
    /// <remarks>
    /// One that was found in the same list is older. One of another list is older if this list has been visited since:
    /// the new timer was not in it then. Otherwise the other list may just have been visited first.
    /// </remarks>
    private void TakeOlderLocked(ServedTimerGroup group, long visit, long previous)
    {
        foreach (var other in group.Timers)
        {
            if (other.Visit == visit || other.Visit <= previous)
            {
                // .NET's set may be changed in this way meanwhile.
                group.Timers.Remove(other);
                other.Group = null;
                _superseded.Add(other);
            }
        }

        _pending -= _superseded.Count;
        Dropped += _superseded.Count;
    }

    private void Expire(ServedTimer served)
    {
        var registration = default(CancellationTokenRegistration);
        lock (_lock)
        {
            if (served.Group is not { } group)
            {
                return;
            }

            served.Group = null;
            group.Timers.Remove(served);
            _pending--;
            if (group.Timers.Count == 0)
            {
                _groups.Remove(group.Token);
                registration = group.Registration;
            }
        }

        registration.Unregister();
        manager.OnTimeout(served.Timer);
    }

    private List<ServedTimer> TakeAll()
    {
        List<ServedTimer> taken = [];
        List<ServedTimerGroup> groups;
        lock (_lock)
        {
            groups = [.. _groups.Values];
            groups.ForEach(group => TakeAllLocked(group, taken));
        }

        groups.ForEach(static group => group.Registration.Unregister());
        return taken;
    }

    private void TakeAllLocked(ServedTimerGroup group, List<ServedTimer> taken)
    {
        // The group may have lost its last timer since then, and another group may have taken its place.
        foreach (var served in group.Timers)
        {
            served.Group = null;
            taken.Add(served);
        }

        _pending -= group.Timers.Count;
        group.Timers.Clear();
        if (_groups.TryGetValue(group.Token, out var current) && ReferenceEquals(current, group))
        {
            _groups.Remove(group.Token);
        }
    }
}
