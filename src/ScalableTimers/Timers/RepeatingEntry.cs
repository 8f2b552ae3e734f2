using System.Diagnostics;
using System.Runtime.CompilerServices;
using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>
/// An entry that its holder may change, stop and dispose, and that fires once or on a grid: what the kinds of
/// <see cref="ITimer"/> share.
/// </summary>
/// <remarks>
/// It belongs to the collection of the thread that created it and is linked while it is armed, so an armed one is
/// rooted by its service and a stopped one that is dropped can be collected.
/// </remarks>
internal abstract class RepeatingEntry : CollectionEntry, IFiringTarget, ITimer
{
    // Rarely needed, so not worth a field of each of a million timers. Its entry is there while _isAwaited.
    private static readonly ConditionalWeakTable<RepeatingEntry, TaskCompletionSource> s_ended = [];

    // Guards
    //   all fields   Collection's lock; _callback and _state do not change while _running is above zero
    //
    // _dueAt is an exact timestamp; the deadline linked is a tick after it. A periodic timer stays on the grid of its
    // first _dueAt.
    private TimerCallback? _callback;
    private object? _state;
    private long _dueAt = TickClock.Never;
    private long _period;
    private int _running;
    private bool _isAwaited;
    private bool _isDisposed;
    private bool _isHandedOver;

    /// <param name="collection">The creating thread's.</param>
    /// <param name="callback">What to run.</param>
    /// <param name="state">What to pass to it.</param>
    protected RepeatingEntry(TimerCollection collection, TimerCallback callback, object? state)
        : base(collection)
    {
        _callback = callback;
        _state = state;
    }

    /// <summary>Whether the underlying clock drives it once the service has been disposed.</summary>
    protected abstract bool OutlivesService { get; }

    protected TickClock Clock => Collection.Clock;

    /// <summary>
    /// Whether <see cref="HandOver"/> has been called, for a class that overrides it. Here, where it takes no room.
    /// </summary>
    protected bool IsHandedOver
    {
        get => Volatile.Read(ref _isHandedOver);
        set => Volatile.Write(ref _isHandedOver, value);
    }

    protected bool IsArmed => _dueAt != TickClock.Never;

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        ThrowIfOutOfRange(dueTime, period);
        dueTime = DueTime.Normalize(dueTime);
        period = DueTime.Normalize(period);
        var now = dueTime == Timeout.InfiniteTimeSpan ? 0 : Clock.Now();
        var me = Environment.CurrentManagedThreadId;
        var isDriven = Collection.Enter(me);
        if (_isDisposed || !(isDriven || OutlivesService))
        {
            Collection.Exit(me);
            return false;
        }

        Collection.UnlinkLocked(this);
        SetDueLocked(dueTime, period, now);
        OnChangedLocked();
        return LinkAndExit(isDriven, me);
    }

    public virtual void Dispose()
    {
        var me = Environment.CurrentManagedThreadId;
        Collection.Enter(me);
        Collection.UnlinkLocked(this);
        EndLocked();
        Collection.Exit(me);
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        var me = Environment.CurrentManagedThreadId;
        Collection.Enter(me);
        var isRunning = _running > 0;
        _isAwaited |= isRunning;
        Collection.Exit(me);
        if (!isRunning)
        {
            return default;
        }

        // It may be over by now; then nobody looks for the source any more.
        var ended = s_ended.GetValue(
            this, static _ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        Collection.Enter(me);
        isRunning = _running > 0;
        Collection.Exit(me);
        return isRunning ? new ValueTask(ended.Task) : default;
    }

    /// <summary>
    /// The first <see cref="Change"/>, of a new timer that nobody else has seen, with durations that have been checked.
    /// </summary>
    internal void Begin(TimeSpan dueTime, TimeSpan period)
    {
        dueTime = DueTime.Normalize(dueTime);
        if (dueTime != Timeout.InfiniteTimeSpan)
        {
            var now = Clock.Now();
            var me = Environment.CurrentManagedThreadId;
            var isDriven = Collection.Enter(me);
            SetDueLocked(dueTime, DueTime.Normalize(period), now);
            LinkAndExit(isDriven, me);
        }
    }

    /// <summary>
    /// Has it fire once, at a time or before it: if it is set for an earlier time already, it stays as it is.
    /// </summary>
    internal void FireNoLaterThan(long dueAt)
    {
        var me = Environment.CurrentManagedThreadId;
        var isDriven = Collection.Enter(me);
        if (_isDisposed || _dueAt <= dueAt)
        {
            Collection.Exit(me);
            return;
        }

        Collection.UnlinkLocked(this);
        _dueAt = dueAt;
        LinkAndExit(isDriven, me);
    }

    /// <summary>
    /// Lets the underlying clock drive the timer from now on. The collection is out of service and the timer not
    /// linked.
    /// </summary>
    internal virtual void HandOver() =>
        Debug.Assert(!OutlivesService, "A timer that outlives its service needs somebody to drive it.");

    /// <summary>Called by the wheel, or by what drives the timer after the end of its service.</summary>
    public void Fire()
    {
        var me = Environment.CurrentManagedThreadId;
        var isDriven = Collection.Enter(me);
        if (_isDisposed || !(isDriven || OutlivesService))
        {
            Collection.Exit(me);
            return;
        }

        _running++;
        Collection.Exit(me);
        try
        {
            RunCallback();
        }
        finally
        {
            Collection.Enter(me);
            _running--;
            var isAwaited = ReleaseIfOverLocked() && _isAwaited;
            Collection.Exit(me);
            if (isAwaited && s_ended.TryGetValue(this, out var ended))
            {
                ended.TrySetResult();
            }

            OnFired();
        }
    }

    /// <summary>The timestamp at which it is due; <see cref="TickClock.Never"/> when it is stopped.</summary>
    internal long ReadDueAt()
    {
        var me = Environment.CurrentManagedThreadId;
        Collection.Enter(me);
        var dueAt = _dueAt;
        Collection.Exit(me);
        return dueAt;
    }

    /// <summary>Takes the firing that is due, if one is, when no wheel does.</summary>
    internal bool TryTakeDue()
    {
        // Read before the lock is entered: a clock may be the user's own.
        var now = Clock.Now();
        var me = Environment.CurrentManagedThreadId;
        Collection.Enter(me);
        var isDue = _dueAt <= now && !_isDisposed;
        if (isDue)
        {
            SetNextDueLocked(Clock.TickAt(now));
        }

        Collection.Exit(me);
        return isDue;
    }

    /// <summary>Refuses what this kind of timer does not accept, beyond negative durations.</summary>
    protected virtual void ThrowIfOutOfRange(TimeSpan dueTime, TimeSpan period)
    {
    }

    /// <summary>Chooses the tick to expire at.</summary>
    /// <param name="dueAt">The timestamp at which it is due.</param>
    /// <param name="period">The period in timestamp units; zero for none.</param>
    protected virtual long ChooseTick(long dueAt, long period) => Clock.DeadlineTick(dueAt);

    /// <summary>Called under the lock when a new due time has been set.</summary>
    protected virtual void OnChangedLocked()
    {
    }

    /// <summary>Called when the callback has returned, with no lock held.</summary>
    protected virtual void OnFired()
    {
    }

    protected virtual void RunCallback() => _callback!(_state);

    /// <summary>Moves on to the next due time, if there is one, and links the entry there.</summary>
    /// <param name="nowTick">The tick that it is.</param>
    /// <returns>
    /// The number of moments on the grid that have passed meanwhile and are one firing with this one.
    /// </returns>
    protected long RelinkLocked(long nowTick)
    {
        var missed = SetNextDueLocked(nowTick);
        if (IsArmed)
        {
            Collection.RelinkLocked(this, ChooseTick(_dueAt, _period));
        }

        return missed;
    }

    /// <summary>Ends it for good. Its caller unlinks it.</summary>
    protected void EndLocked()
    {
        _isDisposed = true;
        _dueAt = TickClock.Never;
        OnChangedLocked();
        ReleaseIfOverLocked();
    }

    private protected virtual void ReleaseLocked()
    {
        _callback = null;
        _state = null;
    }

    private void SetDueLocked(TimeSpan dueTime, TimeSpan period, long now)
    {
        _period = period > TimeSpan.Zero ? Clock.ToTimestampDuration(period) : 0;
        _dueAt = dueTime == Timeout.InfiniteTimeSpan
            ? TickClock.Never
            : TickClock.After(now, Clock.ToTimestampDuration(dueTime));
    }

    private bool LinkAndExit(bool isDriven, int me)
    {
        if (isDriven && IsArmed)
        {
            Collection.LinkAndExit(this, ChooseTick(_dueAt, _period), me);
            return true;
        }

        Collection.Exit(me);
        if (!isDriven)
        {
            HandOver();
        }

        return true;
    }

    private long SetNextDueLocked(long nowTick)
    {
        if (_period == 0)
        {
            _dueAt = TickClock.Never;
            return 0;
        }

        _dueAt = _period < TickClock.Never - _dueAt ? _dueAt + _period : TickClock.Never;
        if (Collection.IsShared || !IsArmed)
        {
            return 0;
        }

        // After a pause the missed periods are one firing, and the next is on the grid again. A period is missed when
        // its tick has come, not when its moment has: a firing comes up to one tick late, and with a short period that
        // is after the next moment.
        var over = Clock.TimestampAt(nowTick);
        if (_dueAt > over)
        {
            return 0;
        }

        var missed = ((over - _dueAt) / _period) + 1;
        _dueAt += missed * _period;
        return missed;
    }

    private bool ReleaseIfOverLocked()
    {
        var isOver = _isDisposed && _running == 0;
        if (isOver)
        {
            ReleaseLocked();
        }

        return isOver;
    }
}
