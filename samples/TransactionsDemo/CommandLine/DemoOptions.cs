using TransactionsDemo.Load;

namespace TransactionsDemo.CommandLine;

/// <summary>The options of the demo.</summary>
internal sealed record DemoOptions
{
    public required IReadOnlyList<LoadCase> Cases { get; init; }

    public required WorkMix Mix { get; init; }

    public required TimeSpan Duration { get; init; }

    /// <summary>Null means the default.</summary>
    public TimeSpan? WarmUp { get; init; }

    /// <summary>Whether a few delays are measured at the end, with nothing else going on.</summary>
    public required bool MeasuresDelays { get; init; }

    public required int Rounds { get; init; }

    public FileInfo? JsonFile { get; init; }
}
