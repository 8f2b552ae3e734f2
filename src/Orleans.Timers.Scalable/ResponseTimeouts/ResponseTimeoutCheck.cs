namespace Orleans.Timers.Scalable;

/// <summary>The timer by which Orleans checks outstanding calls, at a period that the plugin chooses.</summary>
/// <remarks>
/// Until <see cref="Begin"/> it ticks at the period that it was created with. The check runs inside the timer's
/// callback, because a periodic timer that is awaited without a scheduler resumes its awaiter there. So the duration of
/// the callback is the cost of the check.
/// </remarks>
internal sealed class ResponseTimeoutCheck : ITimer
{
    // Guards
    //   _periods, _isOurs   _lock (written). A firing reads them without it, and looks again under it before it arms.
    private readonly Lock _lock = new();
    private readonly TimerCallback _callback;
    private readonly object? _state;
    private readonly TimeProvider _clock;
    private readonly ITimer _timer;
    private CheckPeriod? _periods;
    private Func<bool> _isIdle = static () => false;
    private bool _isOurs = true;

    internal ResponseTimeoutCheck(TimeProvider clock, TimerCallback callback, object? state, TimeSpan period)
    {
        _clock = clock;
        _callback = callback;
        _state = state;
        _timer = clock.CreateTimer(static check => ((ResponseTimeoutCheck)check!).Fire(), this, period, period);
    }

    /// <summary>Chooses the time between two checks; null before <see cref="Begin"/>.</summary>
    internal CheckPeriod? Periods => Volatile.Read(ref _periods);

    /// <summary>Chooses the periods from now on.</summary>
    internal void Begin(CheckPeriod periods, Func<bool> isIdle)
    {
        lock (_lock)
        {
            _isIdle = isIdle;
            Volatile.Write(ref _periods, periods);
            Arm(periods.Shortest);
        }
    }

    /// <summary>Makes the timer an ordinary one again, because its owner has asked for another period.</summary>
    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        lock (_lock)
        {
            _isOurs = false;
            return _timer.Change(dueTime, period);
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _isOurs = false;
        }

        _timer.Dispose();
    }

    public ValueTask DisposeAsync()
    {
        lock (_lock)
        {
            _isOurs = false;
        }

        return _timer.DisposeAsync();
    }

    private void Fire()
    {
        if (Periods is not { } periods)
        {
            _callback(_state);
            return;
        }

        var start = _clock.GetTimestamp();
        _callback(_state);
        var rest = periods.RestAfter(_clock.GetElapsedTime(start), _isIdle());
        lock (_lock)
        {
            Arm(rest);
        }
    }

    private void Arm(TimeSpan rest)
    {
        if (_isOurs)
        {
            // The timer is set for one firing. The next one is set when this one has ended, so that a long check is not
            // followed by another at once.
            _timer.Change(rest, Timeout.InfiniteTimeSpan);
        }
    }
}
