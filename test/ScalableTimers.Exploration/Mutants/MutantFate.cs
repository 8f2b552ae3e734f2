namespace ScalableTimers.Exploration.Mutants;

/// <summary>
/// The outcome of a mutant: the scenario that fails with it, null if it survived, and the interleavings of all that
/// pass the operation.
/// </summary>
internal sealed record MutantFate(Mutant Mutant, string? FoundBy, string? Failure, int Interleavings)
{
    public override string ToString() =>
        $"{Mutant.Name} ({Mutant.Site}): {(FoundBy is null ? "SURVIVED" : $"found by {FoundBy}")} after "
        + $"{Interleavings:N0} interleavings. {Failure?.Split('\n')[0]}";
}
