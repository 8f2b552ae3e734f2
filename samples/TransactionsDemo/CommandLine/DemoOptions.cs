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

    /// <summary>A page with charts.</summary>
    public FileInfo? ReportFile { get; init; }

    public FileInfo? MarkdownFile { get; init; }

    /// <summary>Whether another process reads how far it is.</summary>
    public required bool TellsProgress { get; init; }

    /// <summary>Each case in each round, and the delays at the end.</summary>
    public int Steps => (Rounds * Cases.Count) + (MeasuresDelays ? 1 : 0);

    /// <summary>About how long each takes, with opening a bank, counting and closing.</summary>
    public TimeSpan ExpectedStep => Duration + (WarmUp ?? TimeSpan.FromSeconds(1)) + TimeSpan.FromSeconds(2);
}
