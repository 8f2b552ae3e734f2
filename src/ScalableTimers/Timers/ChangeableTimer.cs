using System.Diagnostics;
using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Queues;

namespace ScalableTimers.Timers;

/// <summary>A timer that fires once or on a grid, and can be changed, stopped and disposed.</summary>
/// <remarks>
/// A timer belongs to the queue of the thread that created it, and is linked while it is armed. So its service keeps an
/// armed timer alive, and a stopped timer that nothing refers to can be garbage collected.
/// </remarks>
internal abstract class ChangeableTimer(
    TimerQueue queue, TimerCallback callback, object? state, Duration tolerance = default) : QueueEntry(queue), ITimer
{
    private static readonly TimerCallback s_fire = static timer => ((ChangeableTimer)timer!).Fire();

    // Guards
    //   all fields   Queue's lock. _callback and _state do not change while _running is above zero, so the firing
    //                thread reads them without the lock. It also reads _isDisposed without it. For _grid see TimerGrid
    //
    // _running counts the firings from expiry until the callback has returned.
    private TimerCallback? _callback = callback;
    private object? _state = state;
    private TaskCompletionSource? _ended;
    private TimerGrid _grid = new(tolerance);
    private int _running;
    private bool _isDisposed;

    protected abstract PendingTimerKind Kind { get; }

    protected virtual FiringItem Item => new(s_fire, this);

    /// <summary>Whether the disposal of the service ends the timer.</summary>
    protected abstract bool EndsWithService { get; }

    /// <summary>Whether a firing waits until the callback has returned. The timer is then not linked.</summary>
    protected bool IsOwed { get; set; }

    private bool HasEndedLocked => _isDisposed || (EndsWithService && Queue.Phase == ServicePhase.Disposed);

    /// <summary>Starts a new grid from now. The creator of a timer calls it once to start the timer.</summary>
    /// <returns>False if the timer has been disposed, or its service has and the timer ends with it.</returns>
    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        dueTime = DueTime.Normalize(dueTime);
        period = PeriodOf(dueTime, DueTime.Normalize(period));
        if (dueTime == Timeout.InfiniteTimeSpan)
        {
            return Stop(forGood: false);
        }

        // A shared queue fires what is due at the same tick in the order in which it was set, so it links it again.
        var dueAt = Queue.Clock.DueAt(dueTime);
        var distance = period.Ticks > 0 ? Queue.Clock.ToDuration(period) : default;
        return (distance == default && !Queue.IsOrdered && _grid.TryPostpone(dueAt)) || Start(dueAt, distance);
    }

    public void Dispose() => Stop(forGood: true);

    /// <summary>
    /// Ends the timer and waits for its running callbacks: also for one that calls this, which must not block.
    /// </summary>
    public ValueTask DisposeAsync()
    {
        Dispose();
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var threadId = Environment.CurrentManagedThreadId;
        Queue.Enter(threadId);
        var isOver = _running == 0;
        if (!isOver)
        {
            ended = _ended ??= ended;
        }

        Queue.Exit(threadId);
        return isOver ? default : new ValueTask(ended.Task);
    }

    internal sealed override long DueTick => _grid.Tick(Queue.Clock);

    internal sealed override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        item = Item;
        if (!TryMoveOnLocked(nowTick))
        {
            return false;
        }

        var fires = _running == 0 || TryOverlapLocked(isLast: !_grid.IsArmed);
        _running += fires ? 1 : 0;
        return fires;
    }

    internal sealed override ServiceEnd EndWithServiceLocked(ServicePhase phase)
    {
        if (phase != ServicePhase.Disposed || !EndsWithService)
        {
            return ServiceEnd.None;
        }

        EndLocked();
        return ServiceEnd.Dropped;
    }

    internal sealed override bool TryReadLocked(out PendingEntry pending)
    {
        pending = new PendingEntry(Kind, DueTick, _callback, _state);
        return _grid.IsArmed;
    }

    /// <summary>Checks the times of a change, which are infinite or not negative, and returns the period.</summary>
    protected virtual TimeSpan PeriodOf(TimeSpan dueTime, TimeSpan period) => period;

    /// <summary>Decides about a firing that comes due while the callback runs, or waits for a thread.</summary>
    /// <returns>Whether it fires now.</returns>
    protected abstract bool TryOverlapLocked(bool isLast);

    protected virtual void Run() => _callback!(_state);

    private bool Start(Timestamp dueAt, Duration period)
    {
        var threadId = Environment.CurrentManagedThreadId;
        Queue.Enter(threadId);
        var isChanged = !HasEndedLocked;
        var wakes = false;
        if (isChanged)
        {
            IsOwed = false;
            _grid.Start(dueAt, period);
            wakes = Queue.MoveLocked(this, _grid.Tick(Queue.Clock));
        }

        var deadlineTick = DeadlineTick;
        Queue.Exit(threadId);
        if (wakes)
        {
            Queue.WakeDriver(deadlineTick);
        }

        return isChanged;
    }

    private bool Stop(bool forGood)
    {
        var threadId = Environment.CurrentManagedThreadId;
        Queue.Enter(threadId);
        var isChanged = !HasEndedLocked;
        IsOwed = false;
        if (forGood)
        {
            EndLocked();
        }
        else
        {
            _grid.Stop();
        }

        var hasRunOut = Queue.UnlinkLocked(this);
        Queue.Exit(threadId);
        if (hasRunOut)
        {
            Queue.RunOut();
        }

        return isChanged;
    }

    /// <summary>Moves on to the next due time, if there is one, and links the entry there.</summary>
    /// <returns>False if the timer has been postponed, and nothing is due.</returns>
    private bool TryMoveOnLocked(long nowTick)
    {
        var isDue = _grid.TryMoveOn(Queue.Clock, nowTick);
        if (_grid.IsArmed)
        {
            // After a pause, all missed periods share one firing, and the next firing is on the grid again. A period
            // counts as missed when its tick has come, not when its moment has: a firing is up to one tick late, which
            // with a short period is after the next moment. In virtual time every moment has its own firing.
            if (isDue && !Queue.IsOrdered)
            {
                Queue.CountLeftOutLocked(missed: _grid.SkipTo(Queue.Clock.TimestampAt(nowTick)));
            }

            Queue.RelinkLocked(this, _grid.Tick(Queue.Clock), isNew: isDue);
        }

        return isDue;
    }

    protected void Fire()
    {
        try
        {
            // Only a hint: a callback may still begin while another thread disposes the timer.
            if (!_isDisposed)
            {
                Run();
            }
        }
        finally
        {
            EndRunning();
        }
    }

    private void EndRunning()
    {
        var threadId = Environment.CurrentManagedThreadId;
        Queue.Enter(threadId);
        _running--;
        ReleaseLocked();
        var ended = _running == 0 ? _ended : null;
        var deadlineTick = DeadlineTick;
        var wakes = false;
        if (IsOwed && !HasEndedLocked)
        {
            // Its moment has passed.
            Debug.Assert(!IsLinked, "A timer that owes a firing is linked, so it would fire twice.");
            IsOwed = false;
            _grid.Start(dueAt: default, period: default);
            wakes = Queue.LinkLocked(this, deadlineTick);
        }

        Queue.Exit(threadId);
        if (wakes)
        {
            Queue.WakeDriver(deadlineTick);
        }

        // Not under the lock: this may post to a user's SynchronizationContext or TaskScheduler.
        ended?.SetResult();
    }

    /// <summary>Ends the timer for good. The caller unlinks it.</summary>
    private void EndLocked()
    {
        _isDisposed = true;
        _grid.Stop();
        ReleaseLocked();
    }

    // Releases what the timer refers to once it has been disposed and no callback runs.
    private void ReleaseLocked()
    {
        if (_isDisposed && _running == 0)
        {
            _callback = null;
            _state = null;
            ReleaseContextLocked();
        }
    }

    protected virtual void ReleaseContextLocked()
    {
    }
}
