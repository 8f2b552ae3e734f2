using TransactionsDemo.Load;

namespace TransactionsDemo.CommandLine;

/// <summary>What the demo was asked to do.</summary>
internal sealed record DemoOptions
{
    public required IReadOnlyList<LoadCase> Cases { get; init; }

    public required WorkMix Mix { get; init; }

    public required TimeSpan Duration { get; init; }

    public required int Rounds { get; init; }

    public FileInfo? JsonFile { get; init; }
}
