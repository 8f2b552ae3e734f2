using ScalableTimers.Driving;

namespace ScalableTimers.Collections;

/// <summary>A timer of <see cref="ScalableTimeProvider"/>: an entry that its holder may change, stop and dispose.</summary>
/// <remarks>
/// It belongs to the collection of the thread that created it and is linked while it is armed, so a stopped one that is dropped
/// can be collected. Once the service has been disposed a <see cref="SuccessorTimer"/> on the underlying clock drives it.
/// </remarks>
internal sealed class ProviderTimer : CollectionEntry, ITimer
{
    private static readonly ContextCallback s_runCallback = static timer =>
    {
        var self = (ProviderTimer)timer!;
        self._callback!(self._state);
    };

    // Guards
    //   all fields below   Collection's lock; _callback, _state and _context do not change while _running is above zero
    //   _successor         compare-exchange from null
    //
    // _dueAt is exact, in clock units; the deadline linked is the tick after it. A periodic timer stays on the grid of _dueAt.
    private readonly TickClock _clock;
    private readonly bool _firesEveryPeriod;
    private TimerCallback? _callback;
    private object? _state;
    private ExecutionContext? _context;
    private long _dueAt = TickClock.Never;
    private long _period;
    private SuccessorTimer? _successor;
    private TaskCompletionSource? _ended;
    private int _running;
    private bool _isDisposed;

    /// <param name="collection">The creating thread's.</param>
    /// <param name="service">The collection's service.</param>
    /// <param name="callback">What to run.</param>
    /// <param name="state">What to pass to it.</param>
    public ProviderTimer(TimerCollection collection, TimerService service, TimerCallback callback, object? state)
        : base(collection)
    {
        _clock = service.Clock;
        _firesEveryPeriod = service.FiresInOrder;
        _callback = callback;
        _state = state;
        _context = ExecutionContext.Capture();
    }

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        DueTime.ThrowIfNotTimerRange(dueTime, nameof(dueTime));
        DueTime.ThrowIfNotTimerRange(period, nameof(period));
        var isDriven = Collection.Enter();
        if (_isDisposed)
        {
            Collection.Exit();
            return false;
        }

        Collection.UnlinkLocked(this);
        var dueTimeOrInfinite = DueTime.Normalize(dueTime);
        _period = DueTime.Normalize(period) is { Ticks: > 0 } repeat ? _clock.ToUnits(repeat) : 0;
        _dueAt = dueTimeOrInfinite == Timeout.InfiniteTimeSpan ? TickClock.Never : _clock.DueAt(dueTimeOrInfinite);
        if (isDriven && _dueAt != TickClock.Never)
        {
            Collection.LinkAndExit(this, _clock.DeadlineTick(_dueAt));
            return true;
        }

        Collection.Exit();
        if (!isDriven)
        {
            HandOver();
        }

        return true;
    }

    public void Dispose()
    {
        Collection.Enter();
        _isDisposed = true;
        _dueAt = TickClock.Never;
        Collection.UnlinkLocked(this);
        ReleaseIfOverLocked();
        Collection.Exit();
        Volatile.Read(ref _successor)?.Dispose();
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        Collection.Enter();
        var ended = _running > 0 ? _ended ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously) : null;
        Collection.Exit();
        return ended is null ? default : new ValueTask(ended.Task);
    }

    /// <summary>Lets the underlying clock drive the timer from now on. The collection is out of service and the timer not linked.</summary>
    internal void HandOver()
    {
        var successor = Volatile.Read(ref _successor);
        if (successor is null)
        {
            var created = new SuccessorTimer(this, _clock);
            successor = Interlocked.CompareExchange(ref _successor, created, null) ?? created;
            if (!ReferenceEquals(successor, created))
            {
                created.Dispose();
            }
        }

        successor.Arm();
    }

    /// <summary>When it is due, in clock units; <see cref="TickClock.Never"/> when it is stopped.</summary>
    internal long ReadDueAt()
    {
        Collection.Enter();
        var dueAt = _dueAt;
        Collection.Exit();
        return dueAt;
    }

    /// <summary>For the successor: takes the firing that is due, if one is.</summary>
    internal bool TryTakeDue()
    {
        Collection.Enter();
        var isDue = _dueAt <= _clock.Now() && !_isDisposed;
        if (isDue)
        {
            SetNextDueLocked();
        }

        Collection.Exit();
        return isDue;
    }

    internal override bool TryExpireLocked(out FiringItem item)
    {
        SetNextDueLocked();
        if (_dueAt != TickClock.Never)
        {
            Collection.RelinkLocked(this, _clock.DeadlineTick(_dueAt));
        }

        item = new FiringItem(this);
        return true;
    }

    internal override void Fire()
    {
        Collection.Enter();
        if (_isDisposed)
        {
            Collection.Exit();
            return;
        }

        _running++;
        Collection.Exit();
        try
        {
            if (_context is null)
            {
                s_runCallback(this);
            }
            else
            {
                ExecutionContext.Run(_context, s_runCallback, this);
            }
        }
        finally
        {
            Collection.Enter();
            _running--;
            var ended = ReleaseIfOverLocked() ? _ended : null;
            Collection.Exit();
            ended?.TrySetResult();
        }
    }

    private void SetNextDueLocked()
    {
        if (_period == 0)
        {
            _dueAt = TickClock.Never;
            return;
        }

        _dueAt += _period;
        if (_firesEveryPeriod)
        {
            return;
        }

        // After a pause the missed periods are one firing, and the next is on the grid again. A period is missed when its tick is
        // over, not when its moment is: a firing comes up to one tick late, and with a short period that is after the next moment.
        var now = _clock.Now();
        if (_clock.DeadlineTick(_dueAt) <= _clock.TickAt(now))
        {
            _dueAt += (((now - _dueAt) / _period) + 1) * _period;
        }
    }

    private bool ReleaseIfOverLocked()
    {
        var isOver = _isDisposed && _running == 0;
        if (isOver)
        {
            _callback = null;
            _state = null;
            _context = null;
        }

        return isOver;
    }
}
