namespace Orleans.Timers.Scalable.Messaging;

/// <summary>The timer with which Orleans checks outstanding calls, at a period that the plugin chooses.</summary>
/// <remarks>
/// Until <see cref="Begin"/> it ticks at its original period. The check runs inside the timer's callback, because a
/// periodic timer that is awaited without a scheduler resumes its awaiter there. So the callback's duration is the cost
/// of the check. Orleans never changes the timer.
/// </remarks>
internal sealed class ResponseTimeoutCheck : ITimer
{
    // Guards
    //   _isFiring    interlocked: a firing during another one does nothing
    //   _waits       the running firing: how often in a row the check has waited

    /// <summary>
    /// The timer repeats, although each firing sets it anew, because a firing may wait long in the queue of a blocked
    /// thread pool. It has the period of Orleans' own timer.
    /// </summary>
    private static readonly TimeSpan s_again = TimeSpan.FromSeconds(1);

    private readonly TimerCallback _callback;
    private readonly object? _state;
    private readonly TimeProvider _clock;
    private readonly ITimer _timer;
    private CheckPeriod? _periods;
    private Stalls? _stalls;
    private Func<bool> _isIdle = static () => false;
    private int _isFiring;
    private int _waits;

    internal ResponseTimeoutCheck(TimeProvider clock, TimerCallback callback, object? state, TimeSpan period)
    {
        _clock = clock;
        _callback = callback;
        _state = state;
        _timer = clock.CreateTimer(static check => ((ResponseTimeoutCheck)check!).Fire(), this, period, period);
    }

    /// <summary>Chooses the time between two checks; null before <see cref="Begin"/>.</summary>
    internal CheckPeriod? Periods => Volatile.Read(ref _periods);

    /// <summary>Chooses the periods from now on, and reveals stalls by coming late.</summary>
    internal void Begin(CheckPeriod periods, Func<bool> isIdle, Stalls stalls)
    {
        _isIdle = isIdle;
        _stalls = stalls;
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
        }
        else if (Interlocked.Exchange(ref _isFiring, 1) == 0)
        {
            var rest = periods.Longest;
            try
            {
                rest = Check(periods);
            }
            finally
            {
                // Before arming, because a firing that finds another one running is lost.
                Volatile.Write(ref _isFiring, 0);
                Arm(rest);
            }
        }
    }

    private TimeSpan Check(CheckPeriod periods)
    {
        // Let answers that arrived during a stall be read first, also if another stall follows. A process that stalls
        // again and again must not put the check off for ever.
        var wait = _stalls!.GraceLeft();
        if (wait > TimeSpan.Zero && _waits < 2)
        {
            _waits++;
            return wait;
        }

        // Many timeouts make the check itself take long, which is not a stall.
        _waits = 0;
        _stalls.ExpectCheck(s_again);
        var start = _clock.GetTimestamp();
        _callback(_state);
        return periods.RestAfter(_clock.GetElapsedTime(start), _isIdle());
    }

    // Sets the next firing after this one has ended, so that a long check is not followed by another at once.
    private void Arm(TimeSpan rest)
    {
        _stalls!.ExpectCheck(rest);
        _timer.Change(rest, s_again);
    }
}
