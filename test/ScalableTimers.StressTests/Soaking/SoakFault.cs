namespace ScalableTimers.StressTests.Soaking;

/// <summary>How a timer can break its promise.</summary>
internal enum SoakFault
{
    Early,
    Lost,
    Doubled,
    CancelledYetFired,

    /// <summary>Late, and neither a pause of the machine nor a wait for the pool explains it.</summary>
    Late,
    Other,
}
