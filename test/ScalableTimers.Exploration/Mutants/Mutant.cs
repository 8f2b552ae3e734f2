namespace ScalableTimers.Exploration.Mutants;

/// <summary>A faulty operation at one place of the core.</summary>
internal sealed record Mutant(Site Site, MutantKind Kind)
{
    internal bool NeedsBuffers => Kind is MutantKind.LateWrite or MutantKind.LostWrite;

    /// <summary>
    /// Whether it breaks one of the core's own locks. If so, the plain code under the lock gets points, so that threads
    /// can interleave there.
    /// </summary>
    internal bool TearsSections => Kind is MutantKind.NotEntered or MutantKind.EnteredLate;

    /// <summary>Uses the line's text instead of its number, which changes too often.</summary>
    internal string Name => $"{Site.FileName}: `{Site.ReadText()}`, {Kind}";

    internal static IEnumerable<Mutant> Of(Site site) => Kinds(site.Kind).Select(kind => new Mutant(site, kind));

    internal bool IsAt(in Site site) =>
        site.Line == Site.Line && site.Kind == Site.Kind && site.File == Site.File && site.Variable == Site.Variable;

    private static MutantKind[] Kinds(OperationKind kind) => kind switch
    {
        OperationKind.Fence => [MutantKind.NoFence],
        OperationKind.CompareExchange or OperationKind.Exchange or OperationKind.Add => [MutantKind.NotAtomic],
        OperationKind.Read => [MutantKind.StaleRead],
        OperationKind.Write => [MutantKind.LateWrite, MutantKind.LostWrite],
        OperationKind.Set => [MutantKind.NoSet],
        OperationKind.EnterLock => [MutantKind.NoLock],
        OperationKind.EnterCoreLock => [MutantKind.NotEntered, MutantKind.EnteredLate],
        _ => [],
    };
}
