namespace ScalableTimers.Timers;

/// <summary>How a delay ended.</summary>
internal enum DelayOutcome : byte
{
    Elapsed,
    CancelledByToken,
    CancelledByScope,
    Stopped,
}
