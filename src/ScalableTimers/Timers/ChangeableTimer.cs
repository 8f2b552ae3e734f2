using System.Diagnostics;
using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Queues;
using ScalableTimers.Wheel;

namespace ScalableTimers.Timers;

/// <summary>
/// A timer that fires once or on a grid and can be changed, stopped and disposed: from
/// <see cref="TimerService.CreatePeriodicTimer"/> or from <see cref="ScalableTimeProvider"/>.
/// </summary>
/// <remarks>
/// A timer belongs to the queue of the thread that created it, and is linked while it is armed. So its service keeps an
/// armed timer alive, and a stopped timer that nothing refers to can be garbage collected.
/// </remarks>
internal sealed class ChangeableTimer : QueueEntry, IFiringTarget, ITimer
{
    private static readonly TimerCallback s_fire = static timer => ((ChangeableTimer)timer!).Fire();
    private static readonly ContextCallback s_runCallback = static timer => ((ChangeableTimer)timer!).RunCallback();

    // Guards
    //   all fields   Queue's lock. _callback, _state and _context do not change while _running is above zero, so the
    //                firing thread reads them without the lock. It also reads _isDisposed without it
    //
    // _dueAt is an exact timestamp; the linked deadline is a tick after it. A periodic timer stays on the grid of its
    // first _dueAt. _running counts the firings from expiry until the callback has returned.
    //
    // A timer of the time provider acts like .NET's timers: it accepts their durations, its firings overlap, and it
    // outlives the service. A timer of the service does none of that.
    private readonly bool _isOfTimeProvider;
    private readonly Duration _tolerance;
    private TimerCallback? _callback;
    private object? _state;
    private ExecutionContext? _context;
    private TaskCompletionSource? _ended;
    private Timestamp _dueAt = Timestamp.Never;
    private Duration _period;
    private int _running;
    private bool _isOwed;
    private bool _isDisposed;

    /// <summary>A timer of the time provider. Its callback runs in the context, unless that is null.</summary>
    public ChangeableTimer(TimerQueue queue, TimerCallback callback, object? state, ExecutionContext? context)
        : base(queue)
    {
        _callback = callback;
        _state = state;
        _context = context;
        _isOfTimeProvider = true;
    }

    /// <summary>A timer of the service. The tolerance is not negative.</summary>
    public ChangeableTimer(TimerQueue queue, TimerCallback callback, object? state, TimeSpan tolerance)
        : base(queue)
    {
        _callback = callback;
        _state = state;
        _tolerance = Clock.ToDuration(tolerance);
    }

    TimerCallback? IFiringTarget.Callback => _callback;

    bool IFiringTarget.IsWaitedFor => !_isOfTimeProvider;

    private TickClock Clock => Queue.Clock;

    private bool IsArmed => _dueAt != Timestamp.Never;

    /// <summary>Starts a new grid from now. The creator of a timer calls it once to start the timer.</summary>
    /// <returns>False if the timer has been disposed, or its service has and the timer ends with it.</returns>
    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        dueTime = DueTime.Normalize(dueTime);
        period = DueTime.Normalize(period);
        if (_isOfTimeProvider)
        {
            DueTime.ThrowIfTooLongForTimers(dueTime);
            DueTime.ThrowIfTooLongForTimers(period);
        }

        var queue = Queue;
        var now = dueTime == Timeout.InfiniteTimeSpan ? default : queue.Clock.Now();

        // .NET's timers count in whole milliseconds, so a shorter period means none. Code may rely on that.
        var isPeriodic = period.Ticks >= (_isOfTimeProvider ? TimeSpan.TicksPerMillisecond : 1);
        var threadId = Environment.CurrentManagedThreadId;
        queue.Enter(threadId);
        var isChanged = !_isDisposed && (_isOfTimeProvider || queue.Phase != ServicePhase.Disposed);
        bool wakes = false, hasRunOut = false;
        if (isChanged)
        {
            _period = isPeriodic ? queue.Clock.ToDuration(period) : default;
            _isOwed = false;
            if (dueTime == Timeout.InfiniteTimeSpan)
            {
                _dueAt = Timestamp.Never;
                hasRunOut = queue.UnlinkLocked(this);
            }
            else
            {
                _dueAt = now + queue.Clock.ToDuration(dueTime);
                wakes = queue.MoveLocked(this, ChooseTick());
            }
        }

        var deadlineTick = DeadlineTick;
        queue.Exit(threadId);
        if (wakes)
        {
            queue.WakeDriver(deadlineTick);
        }

        if (hasRunOut)
        {
            queue.RunOut();
        }

        return isChanged;
    }

    public void Dispose()
    {
        var threadId = Environment.CurrentManagedThreadId;
        Queue.Enter(threadId);
        EndLocked();
        var hasRunOut = Queue.UnlinkLocked(this);
        Queue.Exit(threadId);
        if (hasRunOut)
        {
            Queue.RunOut();
        }
    }

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

    private void Fire()
    {
        // Only a hint: a callback may still begin while another thread disposes the timer.
        if (_isDisposed)
        {
            EndRunning();
            return;
        }

        try
        {
            if (_context is { } context)
            {
                ExecutionContext.Run(context, s_runCallback, this);
            }
            else
            {
                RunCallback();
            }
        }
        finally
        {
            EndRunning();
        }
    }

    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        item = new FiringItem(s_fire, this);
        SetNextDueLocked(nowTick);
        if (_isOfTimeProvider || _running == 0)
        {
            _running++;
            return true;
        }

        if (IsArmed)
        {
            Queue.CountLeftOutLocked(skipped: 1);
        }
        else
        {
            // This firing is the last, for example because a callback has changed its own timer and is still running.
            // Skipping it would stop the timer for good, so it fires when the callback has returned.
            _isOwed = true;
            Queue.CountLeftOutLocked(postponed: 1);
        }

        return false;
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase)
    {
        if (phase != ServicePhase.Disposed || _isOfTimeProvider)
        {
            return ServiceEnd.None;
        }

        EndLocked();
        return ServiceEnd.Dropped;
    }

    internal override bool TryReadLocked(out PendingEntry pending)
    {
        var kind = _isOfTimeProvider ? PendingTimerKind.TimeProvider : PendingTimerKind.Periodic;
        pending = new PendingEntry(kind, DeadlineTick, _callback, _state);
        return IsArmed;
    }

    private void RunCallback() => _callback!(_state);

    /// <summary>Chooses the tick at which the timer expires.</summary>
    private long ChooseTick()
    {
        var first = Clock.DeadlineTick(_dueAt);
        if (_tolerance == default)
        {
            return first;
        }

        // Round down, because lateness is tolerated only up to that point. Stay before the next moment, which would
        // otherwise be lost.
        var last = Clock.TickAt(_dueAt + _tolerance);
        if (_period != default)
        {
            last = Math.Min(last, Clock.DeadlineTick(_dueAt + _period) - 1);
        }

        return TickWindow.MostAligned(first, Math.Clamp(last, first, TimerWheel.MaxTick));
    }

    /// <summary>Moves the timer on to its next due time, if there is one, and links the entry there.</summary>
    private void SetNextDueLocked(long nowTick)
    {
        var next = _dueAt + _period;
        _dueAt = _period == default || next >= Timestamp.Last ? Timestamp.Never : next;
        if (!IsArmed)
        {
            return;
        }

        // After a pause, all missed periods share one firing, and the next firing is on the grid again. A period counts
        // as missed when its tick has come, not when its moment has: a firing is up to one tick late, which with a
        // short period is after the next moment. In virtual time every moment has its own firing.
        var over = Clock.TimestampAt(nowTick);
        if (!Queue.IsOrdered && _dueAt <= over)
        {
            var missed = ((over - _dueAt) / _period) + 1;
            _dueAt += _period * missed;
            Queue.CountLeftOutLocked(missed: missed);
        }

        Queue.RelinkLocked(this, ChooseTick());
    }

    private void EndRunning()
    {
        var threadId = Environment.CurrentManagedThreadId;
        Queue.Enter(threadId);
        _running--;
        EndRunningLocked();
        var ended = _running == 0 ? _ended : null;
        var deadlineTick = DeadlineTick;
        var wakes = false;
        if (_isOwed && Queue.Phase != ServicePhase.Disposed)
        {
            // While a firing is owed, the timer is not linked. It keeps its deadline, which has passed.
            Debug.Assert(!IsLinked, "A timer that owes a firing is linked, so it would fire twice.");
            _isOwed = false;
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
        _isOwed = false;
        _dueAt = Timestamp.Never;
        EndRunningLocked();
    }

    // Releases what the timer refers to once it has been disposed and no callback runs.
    private void EndRunningLocked()
    {
        if (_isDisposed && _running == 0)
        {
            _callback = null;
            _state = null;
            _context = null;
        }
    }
}
