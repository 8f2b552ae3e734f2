namespace ScalableTimers.Clock;

/// <summary>
/// Lets a thread of the driver sleep until a tick begins, or until another thread signals an earlier deadline.
/// </summary>
/// <remarks>
/// With a resolution below 10 milliseconds the thread sleeps to the tick itself, not to the next whole millisecond as
/// .NET's waits do. Those would lose one wake-up in eleven at a resolution of 1 millisecond.
/// </remarks>
internal sealed class TickSleep : IDisposable
{
    /// <summary>The longest duration of one wait, in milliseconds.</summary>
    /// <remarks>
    /// On some systems, as on Windows, the clock counts the time for which the machine is suspended, but a wait does
    /// not. There a longer wait would end too late by the time of the suspension. So the thread looks at the clock once
    /// a minute, which costs some 100 µs, and a timer is late by at most a minute after the machine resumes.
    /// </remarks>
    internal const int MaxMilliseconds = 60_000;

    /// <summary>At this resolution and above, waking up to a millisecond late costs less than waking twice.</summary>
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
    /// Ends the last sleep. The event is left to the garbage collector, because schedulers may still signal it.
    /// </summary>
    public void Dispose() => End();

    /// <summary>Ends the sleep. A signal that comes before the sleep is kept, so that the sleep ends at once.</summary>
    internal void End() => _changed.Set();

    /// <summary>Sleeps until a tick begins. It may return early, so the caller looks at the clock again.</summary>
    /// <remarks>
    /// A callback may have handed out its Thread object, and other code may interrupt the thread after the callback has
    /// returned. That ends the sleep and does nothing else.
    /// </remarks>
    internal void Until(long tick)
    {
        if (tick == Wheel.TimerWheel.Never)
        {
            // Nothing is pending, so nothing is late.
            Wait(Timeout.Infinite);
            return;
        }

        var wait = _clock.Until(tick);
        if (_isPrecise && wait < s_millisecond && PreciseSleep.TrySleep(wait))
        {
            // No thread can end this sleep, and none need: the tick is less than a resolution away, so no other tick
            // begins before it. A timer that is due at once meanwhile waits for it.
            return;
        }

        Wait(Milliseconds(wait));
    }

    /// <summary>The milliseconds to ask .NET's waits for.</summary>
    internal int Milliseconds(TimeSpan wait)
    {
        // With precise sleeps the wait is rounded down, and the rest is slept precisely. Otherwise it is rounded up:
        // waking a little late costs nothing, but waking early costs another wait.
        var milliseconds = _isPrecise && PreciseSleep.IsAvailable
            ? Math.Max(1, Math.Floor(wait.TotalMilliseconds))
            : Math.Ceiling(wait.TotalMilliseconds);
        return (int)Math.Min(milliseconds, MaxMilliseconds);
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
