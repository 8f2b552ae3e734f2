namespace ScalableTimers.Compare.Running;

/// <summary>A kind of timer, and the code that runs a workload with it once.</summary>
/// <param name="Name">Unique within the workload.</param>
/// <param name="Run">Runs one round. Objects for all rounds, such as a service, are created beforehand.</param>
internal sealed record Contestant(string Name, Func<Measurement> Run)
{
    /// <summary>Gets the contestant that this one is compared with; null for the first.</summary>
    public string? Against { get; init; }

    /// <summary>Gets the object that is disposed after the last round; null for none.</summary>
    public IDisposable? Owned { get; init; }

    /// <summary>The name of a row that differs from others by its number of threads.</summary>
    internal static string On(int threads, string name) => $"{name}, {threads} thread{(threads == 1 ? "" : "s")}";
}
