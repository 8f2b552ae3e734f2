namespace ScalableTimers.Compare.Running;

/// <summary>A kind of timer and how it does a workload, once.</summary>
/// <param name="Name">Unique within the workload.</param>
/// <param name="Run">Does one round. What must live through all rounds, such as a service, is made beforehand.</param>
internal sealed record Contestant(string Name, Func<Measurement> Run)
{
    /// <summary>
    /// Gets the contestant that this one is compared with; null for the first, its own name for none.
    /// </summary>
    public string? Against { get; init; }

    /// <summary>
    /// Gets the contestant whose cost is taken off this one's before they are compared; null for none.
    /// </summary>
    public string? Without { get; init; }

    /// <summary>Gets what is disposed after the last round; null for nothing.</summary>
    public IDisposable? Owned { get; init; }
}
