using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers.Exploration.Tests;

/// <summary>
/// Measures the worth of the scenarios: each operation of the core that works wrongly should make one of them fail.
/// </summary>
public class MutantTests
{
    /// <summary>
    /// Parts of mutants' names, or places and kinds such as "TimerDriver.cs:67 StaleRead", one on each line. Only these
    /// mutants are run.
    /// </summary>
    private const string OnlyVariable = "SCALABLE_TIMERS_MUTANTS";

    /// <summary>A file that receives the table.</summary>
    private const string TableVariable = "SCALABLE_TIMERS_MUTANT_TABLE";

    [Fact]
    public void Mutants_EachOperation_WritesTheTable()
    {
        var only = Environment.GetEnvironmentVariable(OnlyVariable)?.Split('\n') ?? [];
        Assert.SkipUnless(Effort.IsFull || only.Length > 0, "At full length only, or for a part of a mutant's name.");
        var path = Environment.GetEnvironmentVariable(TableVariable);
        var fates = new List<MutantFate>();
        var hunt = new MutantHunt([.. ScenarioCatalog.All.Where(static scenario => Effort.IsWanted(scenario.Name))])
        {
            MaxInterleavings = Effort.PerMutant,
        };
        hunt.Run(mutant => only.Length == 0 || Is(mutant, only), Note, fate =>
        {
            // The table is written after each mutant, because all of them take long.
            fates.Add(fate);
            if (path is { Length: > 0 })
            {
                File.WriteAllText(path, MutantHunt.ToMarkdown(fates));
            }
        });
        Note($"{fates.Count(static fate => fate.FoundBy is not null)} of {fates.Count} mutants were found.");
        Assert.NotEmpty(fates);
    }

    private static bool Is(Mutant mutant, string[] parts) =>
        Array.Exists(
            parts,
            part => mutant.Name.Contains(part, StringComparison.Ordinal) || $"{mutant.Site} {mutant.Kind}" == part);

    private static void Note(string line) => TestContext.Current.TestOutputHelper?.WriteLine(line);
}
