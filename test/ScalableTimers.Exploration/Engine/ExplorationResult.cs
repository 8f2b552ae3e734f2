namespace ScalableTimers.Exploration.Engine;

/// <summary>What an exploration has found.</summary>
/// <param name="Strategy">How it was explored.</param>
/// <param name="Interleavings">How many were run.</param>
/// <param name="Time">How long that took.</param>
/// <param name="IsComplete">Whether these are all that the strategy has.</param>
/// <param name="Failure">What failed; null if nothing did.</param>
/// <param name="Schedule">The failing interleaving.</param>
/// <param name="Report">What happened in it, step by step.</param>
internal sealed record ExplorationResult(
    string Strategy,
    int Interleavings,
    TimeSpan Time,
    bool IsComplete,
    string? Failure,
    string? Schedule,
    string? Report)
{
    public override string ToString() =>
        $"{Strategy}: {(Failure is null ? IsComplete ? "none fails" : "none fails, not all were run" : "found")} in {Interleavings:N0} interleavings, {Interleavings / Math.Max(0.001, Time.TotalSeconds):N0} a second";
}
