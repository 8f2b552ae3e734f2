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
    //   _waits       the running firing

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

    /// <summary>Chooses the periods from now on, and serves as the heartbeat that reveals stalls.</summary>
    internal void Begin(CheckPeriod periods, Func<bool> isIdle, Stalls stalls)
    {
        _isIdle = isIdle;
        _stalls = stalls;
        Volatile.Write(ref _periods, periods);
        Arm(periods.Shortest);
    }

    public bool Change(TimeSpan dueTime, TimeSpan period) => _timer.Change(dueTime, period);

    public void Dispose()
    {
        _timer.Dispose();
        _stalls?.ExpectBeat(null);
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        return _timer.DisposeAsync();
    }

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
        // Let answers that arrived during a stall be read first. But a process that stalls repeatedly, for long or only
        // briefly, must not put the check off again and again.
        var wait = _stalls!.GraceOfTimeout();
        if (_waits < 2 && wait > (_waits == 0 ? TimeSpan.Zero : Stalls.Remarkable))
        {
            _waits++;
            return wait;
        }

        _waits = 0;

        // Many timeouts make the check itself take long, which is not a stall.
        _stalls.ExpectBeat(null);
        var start = _clock.GetTimestamp();
        _callback(_state);
        return periods.RestAfter(_clock.GetElapsedTime(start), _isIdle());
    }

    // Sets the next firing after this one has ended, so that a long check is not followed by another at once.
    private void Arm(TimeSpan rest)
    {
        _stalls!.ExpectBeat(rest);
        if (!_timer.Change(rest, s_again))
        {
            // The timer was disposed, earlier or just now.
            _stalls.ExpectBeat(null);
        }
    }
}
