namespace ScalableTimers;

/// <summary>What happens to a firing that comes due while the timer's callback is still running.</summary>
public enum TimerOverlap
{
    /// <summary>
    /// The firing is skipped and counted: a callback is never re-entered. A timer's last firing is not skipped; it
    /// fires when the callback has returned.
    /// </summary>
    Skip,

    /// <summary>The firing runs concurrently with the callback, on another thread, as with .NET's timers.</summary>
    Allow,
}
