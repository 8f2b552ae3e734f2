namespace ScalableTimers;

/// <summary>What becomes of a firing whose timer is still running its callback.</summary>
public enum TimerOverlap
{
    /// <summary>
    /// It is skipped and counted: a callback is never re-entered. One that has no other after it fires when the
    /// callback has returned.
    /// </summary>
    Skip,

    /// <summary>It fires beside the one that runs, on another thread, as .NET's timers do.</summary>
    Allow,
}
