namespace Orleans.Timers.Scalable;

/// <summary>The timer by which Orleans checks outstanding calls, at a period of our choice.</summary>
/// <remarks>
/// Until it is told to begin it does what it was created to do. The check runs inside the timer's callback (a periodic timer that is
/// awaited without a scheduler resumes its awaiter there), so that what the callback takes is what the check costs.
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

    /// <summary>How the time between two checks is chosen; null before it has begun.</summary>
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

    /// <summary>Whoever changes the timer means what he says: it is an ordinary one again.</summary>
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
            // Once: the next firing is armed when this one has ended, so that a long check is not followed by another at once.
            _timer.Change(rest, Timeout.InfiniteTimeSpan);
        }
    }
}
