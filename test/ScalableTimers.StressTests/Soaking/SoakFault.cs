namespace ScalableTimers.StressTests.Soaking;

/// <summary>How a timer can break its promise.</summary>
internal enum SoakFault
{
    Early,
    Lost,
    Doubled,
    CancelledYetFired,

    /// <summary>Late without a pause of the machine or a wait for the pool that explains it.</summary>
    Late,
    Other,
}
