namespace ScalableTimers.Exploration.Engine;

/// <summary>The result of an exploration.</summary>
/// <param name="Strategy">How it was explored.</param>
/// <param name="Interleavings">How many the explorer has run, including those of earlier, smaller bounds.</param>
/// <param name="Time">How long all of them took.</param>
/// <param name="IsComplete">Whether the strategy has no more interleavings.</param>
internal sealed record ExplorationResult(string Strategy, int Interleavings, TimeSpan Time, bool IsComplete)
{
    /// <summary>The failure; null if there is none.</summary>
    internal string? Failure { get; init; }

    /// <summary>The failing interleaving.</summary>
    internal string? Schedule { get; init; }

    /// <summary>The steps of the failing interleaving.</summary>
    internal string? Report { get; init; }

    public override string ToString() =>
        $"{Strategy}: {(Failure is null ? IsComplete ? "none fails" : "none fails, not all were run" : "found")} in "
        + $"{Interleavings:N0} interleavings, {Interleavings / Math.Max(0.001, Time.TotalSeconds):N0} a second";
}
