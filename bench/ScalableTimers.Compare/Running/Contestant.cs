namespace ScalableTimers.Compare.Running;

/// <summary>A kind of timer, and the code that runs a workload once with it.</summary>
/// <param name="Name">Unique within the workload.</param>
/// <param name="Run">Runs one round. Objects for all rounds, such as a service, are created beforehand.</param>
internal sealed record Contestant(string Name, Func<Measurement> Run)
{
    /// <summary>
    /// Gets the contestant that this one is compared with; null for the first, its own name for none.
    /// </summary>
    public string? Against { get; init; }

    /// <summary>
    /// Gets the contestant whose cost is subtracted from this one's for the net figures; null for none.
    /// </summary>
    public string? Without { get; init; }

    /// <summary>
    /// Gets whether the runtime counts the waits for the locks of these timers. It knows <see cref="Monitor"/> and
    /// <see cref="Lock"/>, but not the lock of this library's wheels, which spins. Its 0 would claim what nobody
    /// measured.
    /// </summary>
    public bool HasCountedLocks { get; init; } = true;

    /// <summary>Gets the object that is disposed after the last round; null for none.</summary>
    public IDisposable? Owned { get; init; }
}
