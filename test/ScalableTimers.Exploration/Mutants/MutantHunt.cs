using System.Globalization;
using System.Text;

namespace ScalableTimers.Exploration.Mutants;

/// <summary>
/// Breaks each operation that the scenarios pass, one at a time, and checks whether a scenario fails.
/// </summary>
/// <remarks>
/// The limit for a mutant is counted in interleavings, so a busy machine finds as many mutants as an idle one.
/// </remarks>
internal sealed class MutantHunt(IReadOnlyList<Scenario> scenarios)
{
    private const int Bound = 2;

    // The number of random walks of each scenario at the end.
    private const int Walks = 200;

    private readonly Dictionary<Scenario, SharedSites> _shared = [];

    /// <summary>
    /// The most that one scenario runs for a mutant at a time. All of them run no more than twice as many with each
    /// memory model.
    /// </summary>
    internal int MaxInterleavings { get; init; } = 20_000;

    internal void Run(Func<Mutant, bool> isWanted, Action<string> log, Action<MutantFate> found)
    {
        foreach (var (mutant, passing) in Enumerate(log).Where(pair => isWanted(pair.Mutant)))
        {
            var fate = Hunt(mutant, passing);
            log(fate.ToString());
            found(fate);
        }
    }

    /// <summary>The outcomes as a table.</summary>
    internal static string ToMarkdown(IReadOnlyCollection<MutantFate> fates)
    {
        var text = new StringBuilder(
            "\n| Operation | Does wrongly | Found by | After interleavings |\n|---|---|---|---|\n");
        var sorted = fates.OrderBy(static fate => fate.Mutant.Site.FileName, StringComparer.Ordinal)
            .ThenBy(static fate => fate.Mutant.Kind)
            .ThenBy(static fate => fate.Mutant.Site.Line);
        foreach (var fate in sorted)
        {
            var line = fate.Mutant.Site.ReadText().Replace("|", "\\|", StringComparison.Ordinal);
            text.Append(
                CultureInfo.InvariantCulture,
                $"| {fate.Mutant.Site}: `{line}` | {fate.Mutant.Kind} | {fate.FoundBy ?? "**survived**"} | "
                + $"{fate.Interleavings:N0} |\n");
        }

        return text.ToString();
    }

    private static bool IsOfTheCore(Site site) =>
        site.File.Contains("/src/ScalableTimers/", StringComparison.Ordinal)
            || site.File.Contains("/src/ScalableTimers.Statistics/", StringComparison.Ordinal)
            || site.File.Contains("/src/Orleans.Timers.Scalable", StringComparison.Ordinal);

    // The scenarios that pass an operation. Those with the fewest interleavings come first.
    private List<(Mutant Mutant, List<Scenario> Passing)> Enumerate(Action<string> log)
    {
        var measured = new List<(Scenario Scenario, HashSet<Site> Sites, int Size)>();
        foreach (var scenario in scenarios)
        {
            var explorer = new Explorer(scenario) { Sites = [], MaxInterleavings = 2_000 };
            var found = explorer.DepthFirst(bound: 1);
            if (found.Failure is { } failure)
            {
                // Such a scenario would fail with every mutant.
                log($"{scenario.Name} fails without a mutant, and looks for none: {failure.Split('\n')[0]}");
                continue;
            }

            _shared[scenario] = explorer.Shared;
            measured.Add((scenario, explorer.Sites, found.Interleavings));
        }

        var mutants =
            from one in measured
            orderby one.Size
            from site in one.Sites
            where IsOfTheCore(site)
            group one.Scenario by site into passing
            orderby passing.Key.File, passing.Key.Line
            from mutant in Mutant.Of(passing.Key)
            select (mutant, passing.ToList());
        return [.. mutants];
    }

    private MutantFate Hunt(Mutant mutant, List<Scenario> passing)
    {
        var interleavings = 0;
        foreach (var model in Models(mutant.Kind))
        {
            var left = 2 * MaxInterleavings;
            foreach (var (scenario, most, explore) in Plan(mutant, passing).TakeWhile(_ => left > 0))
            {
                var explorer = new Explorer(scenario)
                {
                    Model = model,
                    Mutant = mutant,
                    Shared = _shared[scenario],
                    MaxInterleavings = Math.Min(left, most),
                };
                var failure = Explore(explorer, explore);
                interleavings += explorer.Interleavings;
                left -= explorer.Interleavings;
                if (failure is not null)
                {
                    return new MutantFate(mutant, scenario.Name, failure, interleavings);
                }
            }
        }

        return new MutantFate(mutant, FoundBy: null, Failure: null, interleavings);
    }

    private static string? Explore(Explorer explorer, Func<Explorer, ExplorationResult> explore)
    {
        try
        {
            return explore(explorer).Failure;
        }
        catch (InvalidOperationException exception)
        {
            // A thread loops forever without an operation, as corrupted links may cause.
            return exception.Message;
        }
    }

    // A missing fence shows only with store buffers. An interlocked operation is a fence too.
    private static MemoryModel[] Models(MutantKind kind) => kind switch
    {
        MutantKind.NoFence => [MemoryModel.StoreBuffers],
        MutantKind.NotAtomic => [MemoryModel.SequentiallyConsistent, MemoryModel.StoreBuffers],
        _ => [MemoryModel.SequentiallyConsistent],
    };

    // First a few interleavings of each scenario, then more, so that one scenario does not use up what others need.
    // Those about the mutant's part of the core come first.
    private IEnumerable<(Scenario Scenario, int Most, Func<Explorer, ExplorationResult> Explore)> Plan(
        Mutant mutant, List<Scenario> passing)
    {
        var few = Math.Max(MaxInterleavings / (4 * passing.Count), 100);
        foreach (var most in (int[])[few, MaxInterleavings / 3, MaxInterleavings])
        {
            foreach (var scenario in passing.OrderBy(scenario => scenario.Folder != mutant.Site.Folder))
            {
                yield return (scenario, most, explorer => explorer.DepthFirst(Bound));
                yield return (scenario, most, explorer => explorer.RandomWalk(seed: most, Math.Min(Walks, most / 2)));
            }
        }
    }
}
