namespace ScalableTimers.Tests.Clock;

/// <summary>
/// A clock that stands still until a test advances it, and stops at each timer's due time on its way.
/// </summary>
/// <remarks>
/// A <c>FakeTimeProvider</c> jumps to the end of an advance before it fires what has become due, so chains of timers
/// count from the end. Models that compare each firing with its own due time need the stops.
/// </remarks>
internal sealed class ManualTimeProvider(DateTimeOffset start) : TimeProvider
{
    // Guards what follows; _now is also read without it.
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _armed = [];
    private DateTimeOffset _start = start;
    private long _now;
    private long _armings;

    /// <summary>Creates a clock that shows midnight of 1 January 2000, UTC.</summary>
    public ManualTimeProvider()
        : this(new DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.Zero))
    {
    }

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>How far the clock has been advanced.</summary>
    internal TimeSpan Elapsed => new(GetTimestamp());

    internal int ArmedTimers => _armed.Count;

    public override long GetTimestamp() => Volatile.Read(ref _now);

    public override DateTimeOffset GetUtcNow() => _start + Elapsed;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Sets the time of day, forward or back. Timestamps and timers are not affected.</summary>
    internal void AdjustTime(DateTimeOffset value) => _start = value - Elapsed;

    /// <summary>Moves the clock forward, and fires the timers that become due on the way.</summary>
    internal void Advance(TimeSpan duration)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(duration, TimeSpan.Zero);
        var end = GetTimestamp() + duration.Ticks;
        while (TakeNextDue(end) is { } timer)
        {
            timer.Fire();
        }
    }

    private ManualTimer? TakeNextDue(long end)
    {
        lock (_gate)
        {
            var next = _armed.Where(timer => timer.DueAt <= end).MinBy(static timer => (timer.DueAt, timer.Arming));

            // A callback may have advanced the clock beyond the end of this advance.
            Volatile.Write(ref _now, Math.Max(_now, next?.DueAt ?? end));
            if (next is { Period: > 0 })
            {
                next.DueAt += next.Period;
                next.Arming = ++_armings;
            }
            else if (next is not null)
            {
                _armed.Remove(next);
            }

            return next;
        }
    }

    private sealed class ManualTimer(ManualTimeProvider clock, TimerCallback callback, object? state) : ITimer
    {
        private bool _isDisposed;

        internal long DueAt { get; set; }

        internal long Period { get; private set; }

        internal long Arming { get; set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (clock._gate)
            {
                clock._armed.Remove(this);
                if (!_isDisposed && dueTime >= TimeSpan.Zero)
                {
                    (DueAt, Period, Arming) = (clock._now + dueTime.Ticks, period.Ticks, ++clock._armings);
                    clock._armed.Add(this);
                }

                return !_isDisposed;
            }
        }

        public void Dispose()
        {
            lock (clock._gate)
            {
                _isDisposed = true;
                clock._armed.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }

        internal void Fire() => callback(state);
    }
}
