namespace ScalableTimers.Clock;

/// <summary>
/// How a thread of the driver sleeps until a tick begins, or until it is told that something nearer has come.
/// </summary>
/// <remarks>
/// With a resolution below 10 milliseconds it sleeps to the tick itself, not to the next whole millisecond of .NET's
/// waits, which would cost a wake-up in eleven at a tick of one.
/// </remarks>
internal sealed class TickSleep : IDisposable
{
    /// <summary>The longest time that a wait lasts, in milliseconds.</summary>
    /// <remarks>
    /// Where a wait does not count the time for which the machine is suspended, but the clock does, as on Windows, a
    /// longer one would end as much too late. So the thread looks at the clock once a minute, which costs some 100 µs,
    /// and a timer comes a minute after the machine at most.
    /// </remarks>
    internal const int LongestMilliseconds = 60_000;

    /// <summary>At this resolution and above, being up to a millisecond later costs less than waking twice.</summary>
    private static readonly TimeSpan s_coarseResolution = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_millisecond = TimeSpan.FromMilliseconds(1);

    private readonly TickClock _clock;
    private readonly AutoResetEvent _changed = new(false);
    private readonly bool _isPrecise;

    public TickSleep(TickClock clock)
    {
        _clock = clock;
        _isPrecise = clock.ToTimeSpan(clock.TimestampAt(tick: 1)) < s_coarseResolution;
    }

    /// <summary>
    /// Ends the last sleep. The event is left to the garbage collector: schedulers may still signal it.
    /// </summary>
    public void Dispose() => End();

    /// <summary>Ends the sleep. A signal that comes before it is kept, so that it does not begin.</summary>
    internal void End() => _changed.Set();

    /// <summary>Sleeps; may return early, so the caller looks at the clock again.</summary>
    /// <remarks>
    /// A callback may have handed out its thread, and somebody interrupt it when the callback has returned. That ends
    /// the sleep and nothing else.
    /// </remarks>
    internal void Until(long tick, int longestMilliseconds = LongestMilliseconds)
    {
        if (tick == Wheel.TimerWheel.Never && longestMilliseconds == LongestMilliseconds)
        {
            // Nothing is pending, so nothing is late.
            Wait(Timeout.Infinite);
            return;
        }

        var wait = _clock.Until(tick);
        if (_isPrecise && wait < s_millisecond && PreciseSleep.TrySleep(wait))
        {
            // Nothing can wake it, and nothing need: no tick begins before this one, as it is less than a resolution
            // away. What is to fire at once meanwhile waits for it.
            return;
        }

        Wait(Math.Min(Milliseconds(wait), longestMilliseconds));
    }

    /// <summary>What to ask .NET's waits for.</summary>
    internal int Milliseconds(TimeSpan wait)
    {
        // Rounded up, waking a little late costs nothing, waking early costs another wait; rounded down, the rest is
        // slept precisely.
        var milliseconds = _isPrecise && PreciseSleep.IsAvailable
            ? Math.Max(1, Math.Floor(wait.TotalMilliseconds))
            : Math.Ceiling(wait.TotalMilliseconds);
        return (int)Math.Min(milliseconds, LongestMilliseconds);
    }

    private void Wait(int milliseconds)
    {
        try
        {
            _changed.WaitOne(milliseconds);
        }
        catch (ThreadInterruptedException)
        {
        }
    }
}
