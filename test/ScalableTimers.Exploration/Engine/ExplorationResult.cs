namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// The result of an exploration: the interleavings include those of earlier, smaller bounds, and it is complete if the
/// strategy has no more.
/// </summary>
internal sealed record ExplorationResult(string Strategy, int Interleavings, TimeSpan Time, bool IsComplete)
{
    internal string? Failure { get; init; }

    internal string? Schedule { get; init; }

    internal string? Report { get; init; }

    public override string ToString() =>
        $"{Strategy}: {(Failure is null ? IsComplete ? "none fails" : "none fails, not all were run" : "found")} in "
        + $"{Interleavings:N0} interleavings, {Interleavings / Math.Max(0.001, Time.TotalSeconds):N0} a second";
}
