namespace Orleans.Timers.Scalable.ResponseTimeouts;

/// <summary>The timer by which Orleans checks outstanding calls, at a period that the plugin chooses.</summary>
/// <remarks>
/// Until <see cref="Begin"/> it ticks at the period that it was created with. The check runs inside the timer's
/// callback, because a periodic timer that is awaited without a scheduler resumes its awaiter there. So the duration of
/// the callback is the cost of the check. Orleans never changes the timer.
/// </remarks>
internal sealed class ResponseTimeoutCheck : ITimer
{
    private readonly TimerCallback _callback;
    private readonly object? _state;
    private readonly TimeProvider _clock;
    private readonly ITimer _timer;
    private CheckPeriod? _periods;
    private Func<bool> _isIdle = static () => false;

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
        _isIdle = isIdle;
        Volatile.Write(ref _periods, periods);
        Arm(periods.Shortest);
    }

    public bool Change(TimeSpan dueTime, TimeSpan period) => _timer.Change(dueTime, period);

    public void Dispose() => _timer.Dispose();

    public ValueTask DisposeAsync() => _timer.DisposeAsync();

    private void Fire()
    {
        if (Periods is not { } periods)
        {
            _callback(_state);
            return;
        }

        var start = _clock.GetTimestamp();
        _callback(_state);
        Arm(periods.RestAfter(_clock.GetElapsedTime(start), _isIdle()));
    }

    // The timer is set for one firing. The next one is set when this one has ended, so that a long check is not
    // followed by another at once. A timer that has been disposed stays so.
    private void Arm(TimeSpan rest) => _timer.Change(rest, Timeout.InfiniteTimeSpan);
}
