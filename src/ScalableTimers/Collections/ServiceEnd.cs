namespace ScalableTimers.Collections;

/// <summary>What becomes of an entry when its service enters a later phase.</summary>
internal enum ServiceEnd
{
    /// <summary>It goes on, or has ended already.</summary>
    None,

    /// <summary>A delay has ended and is to be completed.</summary>
    Cancelled,

    /// <summary>What was to run has been dropped.</summary>
    Dropped,

    /// <summary>The clock is to drive it.</summary>
    HandedOver,
}
