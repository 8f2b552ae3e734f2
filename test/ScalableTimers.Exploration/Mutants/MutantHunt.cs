using System.Diagnostics;
using System.Globalization;
using System.Text;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Mutants;

/// <summary>Makes each operation that the scenarios pass work wrongly, one at a time, and sees whether a scenario fails.</summary>
internal sealed class MutantHunt(IReadOnlyList<Scenario> scenarios)
{
    /// <summary>What each scenario may take for a mutant.</summary>
    internal int MaxInterleavings { get; init; } = 20_000;

    internal TimeSpan MaxTime { get; init; } = TimeSpan.FromSeconds(10);

    internal int Bound { get; init; } = 2;

    /// <summary>Runs it.</summary>
    /// <param name="isWanted">Which mutants to look for.</param>
    /// <param name="log">Receives a line for each.</param>
    internal List<MutantFate> Run(Func<Mutant, bool> isWanted, Action<string> log)
    {
        var fates = new List<MutantFate>();
        var healthy = scenarios.Where(scenario => IsHealthy(scenario, log)).ToList();
        foreach (var (mutant, passing) in Enumerate(healthy).Where(pair => isWanted(pair.Mutant)))
        {
            var fate = Hunt(mutant, passing);
            log(fate.ToString());
            fates.Add(fate);
        }

        return fates;
    }

    /// <summary>The fates as a table.</summary>
    internal static string ToMarkdown(IEnumerable<MutantFate> fates)
    {
        var text = new StringBuilder("| Operation | Does wrongly | Found by | After |\n|---|---|---|---|\n");
        foreach (var fate in fates.OrderBy(static fate => fate.Mutant.Site.FileName, StringComparer.Ordinal).ThenBy(static fate => fate.Mutant.Site.Line))
        {
            var operation = $"{fate.Mutant.Site.FileName}: `{fate.Mutant.Site.ReadText().Replace("|", "\\|", StringComparison.Ordinal)}`";
            text.Append(CultureInfo.InvariantCulture, $"| {operation} | {fate.Mutant.Kind} | {fate.FoundBy ?? "**survived**"} | {fate.Interleavings:N0} |\n");
        }

        return text.ToString();
    }

    private static bool IsOfTheCore(Site site) => site.File.Contains("/src/ScalableTimers/", StringComparison.Ordinal);

    // One that fails by itself would find every mutant.
    private bool IsHealthy(Scenario scenario, Action<string> log)
    {
        var explorer = new Explorer(scenario) { MaxInterleavings = MaxInterleavings, MaxTime = MaxTime };
        var failure = explorer.DepthFirst(Bound).Failure ?? explorer.RandomWalk(seed: 1, count: 500).Failure;
        if (failure is not null)
        {
            log($"{scenario.Name} fails without a mutant, and looks for none: {failure.Split('\n')[0]}");
        }

        return failure is null;
    }

    // The scenarios that pass an operation, nearest first: those with the fewest operations besides.
    private static List<(Mutant Mutant, List<Scenario> Passing)> Enumerate(List<Scenario> healthy)
    {
        var passed = new Dictionary<Site, List<(Scenario Scenario, int Sites)>>();
        foreach (var scenario in healthy)
        {
            var sites = new HashSet<Site>();
            new Explorer(scenario) { Sites = sites, MaxInterleavings = 500 }.DepthFirst(bound: 1);
            foreach (var site in sites.Where(static site => site.File.Length > 0 && IsOfTheCore(site)))
            {
                (passed.TryGetValue(site, out var all) ? all : passed[site] = []).Add((scenario, sites.Count));
            }
        }

        return
        [
            .. passed.OrderBy(static pair => pair.Key.File, StringComparer.Ordinal).ThenBy(static pair => pair.Key.Line)
                .SelectMany(static pair => Mutant.Of(pair.Key).Select(mutant => (mutant, pair.Value.OrderBy(static passing => passing.Sites).Select(static passing => passing.Scenario).ToList()))),
        ];
    }

    private MutantFate Hunt(Mutant mutant, List<Scenario> passing)
    {
        var began = Stopwatch.GetTimestamp();
        var interleavings = 0;
        foreach (var scenario in passing)
        {
            // A missing fence shows with store buffers only. They show everything else too, but more slowly.
            var model = mutant.Kind is MutantKind.NoFence ? MemoryModel.StoreBuffers : MemoryModel.SequentiallyConsistent;
            var explorer = new Explorer(scenario) { Model = model, Mutant = mutant, MaxInterleavings = MaxInterleavings, MaxTime = MaxTime };
            var found = explorer.DepthFirst(Bound);
            interleavings += found.Interleavings;
            if (found.Failure is not null)
            {
                return new MutantFate(mutant, scenario.Name, found.Failure, found.Schedule, interleavings, Stopwatch.GetElapsedTime(began));
            }
        }

        return new MutantFate(mutant, FoundBy: null, Failure: null, Schedule: null, interleavings, Stopwatch.GetElapsedTime(began));
    }
}
