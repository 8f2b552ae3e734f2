namespace ScalableTimers.StressTests;

/// <summary>What wakes a service and where it fires.</summary>
public enum DriverChoice
{
    /// <summary>A thread that sleeps; the pool fires.</summary>
    Thread,

    /// <summary>A system timer; the pool fires.</summary>
    Timer,

    /// <summary>A thread that sleeps and fires.</summary>
    FiringThread,
}
