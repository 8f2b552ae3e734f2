namespace ScalableTimers.Collections;

/// <summary>How a delay ended.</summary>
internal enum DelayOutcome : byte
{
    None,
    Elapsed,
    CancelledByToken,
    CancelledByScope,
    Stopped,
}
