using System.Diagnostics;
using System.Runtime.CompilerServices;
using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>
/// An entry that fires once or on a grid, and that its holder may change, stop and dispose. It is the base of all kinds
/// of <see cref="ITimer"/>.
/// </summary>
/// <remarks>
/// A timer belongs to the collection of the thread that created it, and is linked while it is armed. So its service
/// keeps an armed timer alive, and a stopped timer that nothing refers to can be garbage collected.
/// </remarks>
internal abstract class RepeatingEntry : CollectionEntry, IFiringTarget, ITimer
{
    // Rarely needed, so not worth a field in each of a million timers. A timer has an entry here while its _isAwaited
    // is set.
    private static readonly ConditionalWeakTable<RepeatingEntry, TaskCompletionSource> s_ended = [];

    // Guards
    //   all fields   Collection's lock; _callback and _state do not change while _running is above zero
    //
    // _dueAt is an exact timestamp; the linked deadline is a tick after it. A periodic timer stays on the grid of its
    // first _dueAt.
    private TimerCallback? _callback;
    private object? _state;
    private long _dueAt = TickClock.Never;
    private long _period;
    private int _running;
    private bool _isAwaited;
    private bool _isDisposed;

    /// <param name="collection">The creating thread's collection.</param>
    /// <param name="callback">The callback.</param>
    /// <param name="state">The object to pass to the callback.</param>
    protected RepeatingEntry(TimerCollection collection, TimerCallback callback, object? state)
        : base(collection)
    {
        _callback = callback;
        _state = state;
    }

    /// <summary>Whether the underlying clock drives the timer once the service has been disposed.</summary>
    protected abstract bool OutlivesService { get; }

    protected TickClock Clock => Collection.Clock;

    /// <summary>
    /// Whether <see cref="HandOver"/> has been called, for a derived class that overrides it. The property is in this
    /// class because it takes no extra memory here.
    /// </summary>
    /// <remarks>
    /// Needs no fence of its own. The thread that sets it enters the lock afterwards to read the due time. A thread
    /// that ends the timer reads it after it has entered the lock. So one of the two sees what the other has done.
    /// </remarks>
    protected bool IsHandedOver { get; set; }

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

        // The callback may have returned by now. Then nobody looks for the source any more, so check again.
        var ended = s_ended.GetValue(
            this, static _ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        Collection.Enter(me);
        isRunning = _running > 0;
        Collection.Exit(me);
        return isRunning ? new ValueTask(ended.Task) : default;
    }

    /// <summary>
    /// Performs the first <see cref="Change"/> of a new timer that no other thread has seen. The caller has checked the
    /// durations.
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
    /// Makes the timer fire once, at the given time or earlier. If the timer is already set for an earlier time,
    /// nothing changes.
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
    /// Lets the underlying clock drive the timer from now on. The collection is out of service and the timer is not
    /// linked.
    /// </summary>
    internal virtual void HandOver() =>
        Debug.Assert(!OutlivesService, "A timer that outlives its service must override HandOver.");

    /// <summary>
    /// Called when the wheel has expired the timer or, after the end of its service, by the code that drives it then.
    /// </summary>
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

    internal override bool TryReadLocked(out PendingEntry pending)
    {
        var kind = OutlivesService ? PendingTimerKind.TimeProvider : PendingTimerKind.Periodic;
        pending = new PendingEntry(kind, DeadlineTick, _callback, _state);
        return IsArmed;
    }

    /// <summary>The timestamp at which the timer is due; <see cref="TickClock.Never"/> when it is stopped.</summary>
    internal long ReadDueAt()
    {
        var me = Environment.CurrentManagedThreadId;
        Collection.Enter(me);
        var dueAt = _dueAt;
        Collection.Exit(me);
        return dueAt;
    }

    /// <summary>Takes the firing that is due, if there is one. Used when no wheel drives the timer.</summary>
    internal bool TryTakeDue()
    {
        // Read the clock before entering the lock: the clock may be the user's own code.
        var now = Clock.Now();
        var me = Environment.CurrentManagedThreadId;
        Collection.Enter(me);
        var isDue = _dueAt <= now && !_isDisposed;
        Debug.Assert(!IsLinked, "A wheel drives the timer too, so it would fire twice.");
        if (isDue)
        {
            SetNextDueLocked(Clock.TickAt(now));
        }

        Collection.Exit(me);
        return isDue;
    }

    /// <summary>Rejects durations that this kind of timer does not accept, in addition to negative ones.</summary>
    protected virtual void ThrowIfOutOfRange(TimeSpan dueTime, TimeSpan period)
    {
    }

    /// <summary>Chooses the tick at which the timer expires.</summary>
    /// <param name="dueAt">The timestamp at which the timer is due.</param>
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

    /// <summary>Moves the timer on to its next due time, if there is one, and links the entry there.</summary>
    /// <param name="nowTick">The current tick.</param>
    /// <returns>
    /// The number of further moments on the grid that have already passed; they share one firing with this one.
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

    /// <summary>Ends the timer for good. The caller unlinks it.</summary>
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
            var dueAt = _dueAt;
            try
            {
                Collection.LinkAndExit(this, ChooseTick(dueAt, _period), me);
                return true;
            }
            catch
            {
                // A user's clock could not be set.
                StopUnlessChanged(dueAt, me);
                throw;
            }
        }

        Collection.Exit(me);
        if (!isDriven)
        {
            HandOver();
        }

        return true;
    }

    private void StopUnlessChanged(long dueAt, int me)
    {
        Collection.Enter(me);
        if (_dueAt == dueAt)
        {
            Collection.UnlinkLocked(this);
            _dueAt = TickClock.Never;
        }

        Collection.Exit(me);
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

        // After a pause, all missed periods share one firing, and the next firing is on the grid again. A period counts
        // as missed when its tick has come, not when its moment has. The reason: a firing is up to one tick late, and
        // with a short period that is after the next moment.
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
