using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Mutants;

/// <summary>An operation at one place of the core that works wrongly.</summary>
internal sealed record Mutant(Site Site, MutantKind Kind)
{
    internal bool NeedsBuffers => Kind is MutantKind.LateWrite or MutantKind.LostWrite;

    /// <summary>
    /// Whether it is about a lock of the core's own, so that the code under it, plain as it is, is to be torn.
    /// </summary>
    internal bool TearsSections => Kind is MutantKind.NotEntered or MutantKind.EnteredLate;

    /// <summary>Whether a thread that a mutant let into a lock has been there beside one that holds it.</summary>
    internal bool HasMet { get; set; }

    /// <summary>The line's text in place of its number, which changes too often.</summary>
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
