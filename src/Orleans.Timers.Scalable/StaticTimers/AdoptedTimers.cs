using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>The timers of Orleans that wait in our service: who they are, and how each ends.</summary>
/// <remarks>
/// A timer ends once: by its time, by its token, or by being given back. Whoever takes it out of its group, under the lock, ends
/// it, outside of the lock. Only one thread adopts and gives back.
/// </remarks>
internal sealed class AdoptedTimers(StaticTimerManager manager, TimerService service)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<CancellationToken, AdoptedTimerGroup> _groups = [];

    // What adoption has in hand while it runs, so that nothing is lost should it fail.
    private object? _detached;
    private object? _inHand;
    private int _pending;

    /// <summary>The number of timers that wait.</summary>
    internal int Pending => Volatile.Read(ref _pending);

    /// <summary>The number of tokens that have a registration.</summary>
    internal int Groups
    {
        get
        {
            lock (_lock)
            {
                return _groups.Count;
            }
        }
    }

    /// <summary>The number of timers adopted so far.</summary>
    internal long Adopted { get; private set; }

    /// <summary>Takes over a chain of timers that are in no list of the manager any more.</summary>
    internal void Adopt(object? chain)
    {
        // Read first and once: what is left of a wait is converted to monotonic time a moment later, so never too early.
        var now = DateTime.UtcNow;
        _detached = chain;
        while (_detached is { } timer)
        {
            _detached = manager.TakeNext(timer);
            _inHand = timer;
            Adopt(timer, now);
        }
    }

    /// <summary>Registers every timer that waits with the manager again, and returns how many they were.</summary>
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

        foreach (var adopted in TakeAll())
        {
            adopted.Scheduled.Cancel();
            timers.Add(adopted.Timer);
        }

        _inHand = null;
        timers.ForEach(manager.Register);
        return timers.Count;
    }

    internal void Cancel(AdoptedTimerGroup group)
    {
        List<AdoptedTimer> cancelled = [];
        lock (_lock)
        {
            TakeAllLocked(group, cancelled);
        }

        foreach (var adopted in cancelled)
        {
            adopted.Scheduled.Cancel();
            manager.OnCanceled(adopted.Timer);
        }
    }

    private void Adopt(object timer, DateTime now)
    {
        var token = manager.Token(timer);
        var dueTime = manager.DueTime(timer) - now;
        if (token.IsCancellationRequested)
        {
            _inHand = null;
            manager.OnCanceled(timer);
            return;
        }

        var adopted = new AdoptedTimer(this, timer);
        if (Link(adopted, token) is { } newGroup)
        {
            newGroup.Register();
        }

        Adopted++;
        var scheduled = service.Schedule(
            static adopted => ((AdoptedTimer)adopted!).Owner.Expire((AdoptedTimer)adopted),
            adopted,
            dueTime > TimeSpan.Zero ? dueTime : TimeSpan.Zero);
        lock (_lock)
        {
            if (adopted.Group is not null)
            {
                adopted.Scheduled = scheduled;
                return;
            }
        }

        // It was cancelled, or has fired, before it could be told how it is scheduled.
        scheduled.Cancel();
    }

    /// <summary>Links a timer into its token's group, which is returned if it is new and has to be registered.</summary>
    private AdoptedTimerGroup? Link(AdoptedTimer adopted, CancellationToken token)
    {
        lock (_lock)
        {
            var isKnown = _groups.TryGetValue(token, out var group);
            if (!isKnown)
            {
                group = new AdoptedTimerGroup(this, token);
                _groups.Add(token, group);
            }

            group!.Link(adopted);
            _pending++;
            _inHand = null;
            return isKnown ? null : group;
        }
    }

    private void Expire(AdoptedTimer adopted)
    {
        var registration = default(CancellationTokenRegistration);
        lock (_lock)
        {
            if (adopted.Group is not { } group)
            {
                return;
            }

            group.Unlink(adopted);
            _pending--;
            if (group.First is null)
            {
                _groups.Remove(group.Token);
                registration = group.Registration;
            }
        }

        registration.Unregister();
        manager.OnTimeout(adopted.Timer);
    }

    private List<AdoptedTimer> TakeAll()
    {
        List<AdoptedTimer> taken = [];
        List<AdoptedTimerGroup> groups;
        lock (_lock)
        {
            groups = [.. _groups.Values];
            groups.ForEach(group => TakeAllLocked(group, taken));
        }

        groups.ForEach(static group => group.Registration.Unregister());
        return taken;
    }

    private void TakeAllLocked(AdoptedTimerGroup group, List<AdoptedTimer> taken)
    {
        // The last of a group's timers may have gone in the meantime, and another group have taken its place.
        while (group.First is { } first)
        {
            group.Unlink(first);
            taken.Add(first);
            _pending--;
        }

        if (_groups.TryGetValue(group.Token, out var current) && ReferenceEquals(current, group))
        {
            _groups.Remove(group.Token);
        }
    }
}
