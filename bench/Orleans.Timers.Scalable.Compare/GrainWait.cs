namespace Orleans.Timers.Scalable.Compare;

/// <summary>What a grain awaits.</summary>
public enum GrainWait
{
    /// <summary>A delay of .NET.</summary>
    TaskDelay,

    /// <summary>A delay of the plugin.</summary>
    GrainDelay,

    /// <summary>Nothing: the grain only gives its thread up, and gets another turn.</summary>
    Turn,
}
