namespace ScalableTimers.Firing;

/// <summary>A histogram of durations. Its listeners are user code.</summary>
internal interface IDurationHistogram
{
    /// <summary>Whether somebody listens. While nobody does, nothing needs to be measured.</summary>
    bool IsWanted { get; }

    /// <summary>Passes a duration to the listeners, with no lock held. They may throw or block.</summary>
    void Record(double seconds);
}
