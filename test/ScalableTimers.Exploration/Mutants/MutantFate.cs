namespace ScalableTimers.Exploration.Mutants;

/// <summary>The outcome of a mutant.</summary>
/// <param name="Mutant">The mutant.</param>
/// <param name="FoundBy">The scenario that fails with it; null if it survived.</param>
/// <param name="Failure">The failure.</param>
/// <param name="Interleavings">The interleavings run, of all scenarios that pass the operation.</param>
internal sealed record MutantFate(Mutant Mutant, string? FoundBy, string? Failure, int Interleavings)
{
    public override string ToString() =>
        $"{Mutant.Name} ({Mutant.Site}): {(FoundBy is null ? "SURVIVED" : $"found by {FoundBy}")} after "
        + $"{Interleavings:N0} interleavings. {Failure?.Split('\n')[0]}";
}
