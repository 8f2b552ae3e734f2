namespace ScalableTimers.Tests.Clock;

/// <summary>
/// A clock whose time and timers a test controls separately: its timers can ring late, early or never.
/// </summary>
/// <remarks>
/// Use a fake clock where time and timers agree. This clock allocates nothing in a steady state. Its hooks run code
/// just when the code under test reads the time or sets a timer.
/// </remarks>
internal sealed class HandClock(long frequency = TimeSpan.TicksPerSecond) : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<HandTimer> _timers = [];
    private long _timestamp;

    public override long TimestampFrequency => frequency;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    /// <summary>Called before each reading of the timestamp.</summary>
    internal Action? BeforeReading { get; set; }

    /// <summary>Called after each reading of the timestamp, before the reading code gets it.</summary>
    internal Action? Reading { get; set; }

    /// <summary>Called after each change of a timer.</summary>
    internal Action? Changed { get; set; }

    /// <summary>
    /// Whether a timer that is due at once calls back within <see cref="ITimer.Change"/>, as some fake clocks do.
    /// </summary>
    internal bool RingsInChange { get; init; }

    /// <summary>How often a timer has been changed.</summary>
    internal int Changes { get; private set; }

    internal long Timestamp
    {
        get => Volatile.Read(ref _timestamp);
        set => Volatile.Write(ref _timestamp, value);
    }

    /// <summary>The time of the timer that is due first, or null when none is armed.</summary>
    internal TimeSpan? NextWait
    {
        get
        {
            lock (_gate)
            {
                var armed = _timers.Where(static timer => timer.DueTime is not null).ToList();
                return armed.Count == 0 ? null : armed.Min(static timer => timer.DueTime);
            }
        }
    }

    public override long GetTimestamp()
    {
        BeforeReading?.Invoke();
        var now = Timestamp;
        Reading?.Invoke();
        return now;
    }

    public override DateTimeOffset GetUtcNow() =>
        DateTimeOffset.UnixEpoch + TimeSpan.FromSeconds((double)Timestamp / frequency);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new HandTimer(this, callback, state);
        lock (_gate)
        {
            _timers.Add(timer);
        }

        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Advances time. No timer rings.</summary>
    internal void Skip(TimeSpan duration) =>
        Timestamp += (long)((Int128)duration.Ticks * frequency / TimeSpan.TicksPerSecond);

    /// <summary>
    /// Rings every armed timer, whether it is due or not. Each timer is disarmed first, so that its callback may set it
    /// again.
    /// </summary>
    internal void Ring()
    {
        // By index, because a callback may create timers, and the loop must not allocate.
        for (var i = 0; i < _timers.Count; i++)
        {
            var timer = _timers[i];
            if (timer.DueTime is not null)
            {
                timer.Ring();
            }
        }
    }

    internal void SkipAndRing(TimeSpan duration)
    {
        Skip(duration);
        Ring();
    }

    private sealed class HandTimer(HandClock clock, TimerCallback callback, object? state) : ITimer
    {
        private bool _isDisposed;

        internal TimeSpan? DueTime { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (clock._gate)
            {
                if (_isDisposed)
                {
                    return false;
                }

                clock.Changes++;
                DueTime = dueTime < TimeSpan.Zero ? null : dueTime;
            }

            clock.Changed?.Invoke();
            if (clock.RingsInChange && DueTime == TimeSpan.Zero)
            {
                Ring();
            }

            return true;
        }

        public void Dispose()
        {
            lock (clock._gate)
            {
                _isDisposed = true;
                DueTime = null;
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }

        internal void Ring()
        {
            DueTime = null;
            callback(state);
        }
    }
}
