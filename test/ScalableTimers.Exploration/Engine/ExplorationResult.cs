namespace ScalableTimers.Exploration.Engine;

/// <summary>What an exploration has found.</summary>
/// <param name="Strategy">How it was explored.</param>
/// <param name="Interleavings">How many the strategy has run.</param>
/// <param name="Total">How many were run in all, with those of smaller bounds before.</param>
/// <param name="Time">How long all that took.</param>
/// <param name="IsComplete">Whether these are all that the strategy has.</param>
internal sealed record ExplorationResult(string Strategy, int Interleavings, int Total, TimeSpan Time, bool IsComplete)
{
    /// <summary>What failed; null if nothing did.</summary>
    internal string? Failure { get; init; }

    /// <summary>The failing interleaving.</summary>
    internal string? Schedule { get; init; }

    /// <summary>What happened in it, step by step.</summary>
    internal string? Report { get; init; }

    public override string ToString() =>
        $"{Strategy}: {(Failure is null ? IsComplete ? "none fails" : "none fails, not all were run" : "found")} in "
        + $"{Interleavings:N0} interleavings, {Total / Math.Max(0.001, Time.TotalSeconds):N0} a second";
}
