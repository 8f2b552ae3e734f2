using System.Diagnostics;
using System.Globalization;
using System.Text;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Mutants;

/// <summary>
/// Makes each operation that the scenarios pass work wrongly, one at a time, and checks whether a scenario fails.
/// </summary>
/// <remarks>
/// The limit for a mutant is counted in interleavings, so a busy machine finds as many mutants as an idle one.
/// </remarks>
internal sealed class MutantHunt(IReadOnlyList<Scenario> scenarios)
{
    private const int Bound = 2;

    // The number of random walks that each scenario makes at the end.
    private const int Walks = 200;

    private readonly Dictionary<Scenario, SharedSites> _shared = [];

    /// <summary>
    /// What a mutant may take with each memory model, and as many again in the scenarios of its own part of the core.
    /// </summary>
    internal int MaxInterleavings { get; init; } = 20_000;

    /// <summary>Runs it.</summary>
    /// <param name="isWanted">Selects the mutants to look for.</param>
    /// <param name="log">Receives a line for each.</param>
    /// <param name="found">Receives the outcome of each.</param>
    internal void Run(Func<Mutant, bool> isWanted, Action<string> log, Action<MutantFate> found)
    {
        foreach (var (mutant, passing) in Enumerate(log).Where(pair => isWanted(pair.Mutant)))
        {
            var fate = Hunt(mutant, passing);
            log(fate.ToString());
            found(fate);
        }
    }

    /// <summary>
    /// The outcomes as tables: how many mutants were found for each file and kind, which ones survived, and all
    /// mutants.
    /// </summary>
    internal static string ToMarkdown(IReadOnlyCollection<MutantFate> fates)
    {
        var text = new StringBuilder(
            "| File | Does wrongly | Found | Of | Interleavings, most |\n|---|---|---|---|---|\n");
        foreach (
            var group in fates.GroupBy(static fate => (fate.Mutant.Site.FileName, fate.Mutant.Kind))
                .OrderBy(static group => group.Key.FileName, StringComparer.Ordinal)
                .ThenBy(static group => group.Key.Kind))
        {
            var found = group.Where(static fate => fate.FoundBy is not null).ToList();
            var most = found.Count == 0
                ? ""
                : found.Max(static fate => fate.Interleavings).ToString("N0", CultureInfo.InvariantCulture);
            text.Append(
                CultureInfo.InvariantCulture,
                $"| `{group.Key.FileName}` | {group.Key.Kind} | {found.Count} | {group.Count()} | {most} |\n");
        }

        text.Append(
            CultureInfo.InvariantCulture,
            $"\n{fates.Count(static fate => fate.FoundBy is not null)} of {fates.Count} found.\n\n");
        AppendRows(text, fates.Where(static fate => fate.FoundBy is null));
        text.Append('\n');
        AppendRows(text, fates);
        return text.ToString();
    }

    private static void AppendRows(StringBuilder text, IEnumerable<MutantFate> fates)
    {
        text.Append("| Operation | Does wrongly | Found by | After interleavings |\n|---|---|---|---|\n");
        foreach (
            var fate in fates.OrderBy(static fate => fate.Mutant.Site.FileName, StringComparer.Ordinal)
                .ThenBy(static fate => fate.Mutant.Site.Line))
        {
            var operation =
                $"{fate.Mutant.Site}: `{fate.Mutant.Site.ReadText().Replace("|", "\\|", StringComparison.Ordinal)}`";
            text.Append(
                CultureInfo.InvariantCulture,
                $"| {operation} | {fate.Mutant.Kind} | {fate.FoundBy ?? "**survived**"} | "
                + $"{fate.Interleavings:N0} |\n");
        }
    }

    private static bool IsOfTheCore(Site site) =>
        site.File.Contains("/src/ScalableTimers/", StringComparison.Ordinal)
            || site.File.Contains("/src/Orleans.Timers.Scalable/", StringComparison.Ordinal);

    // The scenarios that pass an operation. Those with the fewest interleavings come first.
    private List<(Mutant Mutant, List<Scenario> Passing)> Enumerate(Action<string> log)
    {
        var passed = new Dictionary<Site, List<(Scenario Scenario, int Size)>>();
        foreach (var scenario in scenarios)
        {
            var sites = new HashSet<Site>();
            var explorer = new Explorer(scenario) { Sites = sites, MaxInterleavings = 2_000 };
            var found = explorer.DepthFirst(bound: 1);
            if (found.Failure is { } failure)
            {
                // Such a scenario would fail with every mutant.
                log($"{scenario.Name} fails without a mutant, and looks for none: {failure.Split('\n')[0]}");
                continue;
            }

            var size = found.Interleavings;
            _shared[scenario] = explorer.Shared;
            foreach (var site in sites.Where(static site => site.File.Length > 0 && IsOfTheCore(site)))
            {
                (passed.TryGetValue(site, out var all) ? all : passed[site] = []).Add((scenario, size));
            }
        }

        return
        [
            .. passed.OrderBy(static pair => pair.Key.File, StringComparer.Ordinal).ThenBy(static pair => pair.Key.Line)
                .SelectMany(
                    static pair =>
                        Mutant.Of(pair.Key).Select(
                            mutant =>
                                (
                                    mutant,
                                    pair.Value.OrderBy(static passing => passing.Size)
                                        .Select(static passing => passing.Scenario)
                                        .ToList()))),
        ];
    }

    private MutantFate Hunt(Mutant mutant, List<Scenario> passing)
    {
        var began = Stopwatch.GetTimestamp();
        var interleavings = 0;
        foreach (var model in Models(mutant.Kind))
        {
            var left = 2 * MaxInterleavings;
            foreach (var (scenario, most, explore) in Plan(mutant, passing, () => left))
            {
                var explorer = new Explorer(scenario)
                {
                    Model = model,
                    Mutant = mutant,
                    Shared = _shared[scenario],
                    MaxInterleavings = Math.Min(left, most),
                };
                string? failure;
                try
                {
                    var found = explore(explorer);
                    interleavings += found.Interleavings;
                    left -= found.Interleavings;
                    failure = found.Failure;
                }
                catch (InvalidOperationException exception)
                {
                    // A thread loops for ever without an operation, as may happen in corrupted links.
                    failure = exception.Message;
                }

                if (failure is not null)
                {
                    return Fate(scenario.Name, failure);
                }

                if (left <= 0)
                {
                    break;
                }
            }
        }

        return Fate(foundBy: null, failure: null);

        MutantFate Fate(string? foundBy, string? failure) =>
            new(mutant, foundBy, failure, interleavings, Stopwatch.GetElapsedTime(began));
    }

    // A missing fence shows only with store buffers. An interlocked operation is a fence too.
    private static MemoryModel[] Models(MutantKind kind) => kind switch
    {
        MutantKind.NoFence => [MemoryModel.StoreBuffers],
        MutantKind.NotAtomic => [MemoryModel.SequentiallyConsistent, MemoryModel.StoreBuffers],
        _ => [MemoryModel.SequentiallyConsistent],
    };

    // First what is quick with all scenarios, then what takes long. So one scenario does not use up what others need.
    // Before that, as many for the scenarios that are about the mutant's part of the core.
    private IEnumerable<(
        Scenario Scenario, int Most, Func<Explorer, ExplorationResult> Explore)> Plan(
        Mutant mutant, List<Scenario> passing, Func<int> left)
    {
        var home = passing.Where(scenario => scenario.Folder == mutant.Site.Folder).ToList();
        for (var i = 0; i < home.Count; i++)
        {
            // What small ones do not use is for the others.
            var share = (left() - MaxInterleavings) / (home.Count - i);
            yield return (home[i], Math.Max(share, 1), explorer => explorer.DepthFirst(Bound));
        }

        var few = Math.Max(MaxInterleavings / (4 * passing.Count), 100);
        var many = Math.Max(MaxInterleavings / 3, 1);
        foreach (var most in (int[])[few, many])
        {
            for (var preemptions = 0; preemptions <= Bound; preemptions++)
            {
                var bound = preemptions;
                foreach (var scenario in passing)
                {
                    yield return (scenario, most, explorer => explorer.DepthFirstAt(bound));
                }
            }

            foreach (var scenario in passing)
            {
                var walks = Math.Min(Walks, most / 2);
                yield return (scenario, most, explorer => explorer.RandomWalk(seed: most, walks));
            }
        }
    }
}
