using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers.Exploration.Tests;

/// <summary>How much scenarios that hold are worth: each operation of the core that works wrongly is to make one of them fail.</summary>
public class MutantTests
{
    /// <summary>Parts of mutants' names, or places and kinds as "TimerDriver.cs:67 StaleRead", a line each, to look for those alone.</summary>
    private const string OnlyVariable = "SCALABLE_TIMERS_MUTANTS";

    /// <summary>A file that receives the table.</summary>
    private const string TableVariable = "SCALABLE_TIMERS_MUTANT_TABLE";

    [Fact]
    public void Mutants_EachOperation_WritesTheTable()
    {
        var only = Environment.GetEnvironmentVariable(OnlyVariable)?.Split('\n');
        Assert.SkipUnless(Effort.IsFull || only is not null, "At full length only, or for a part of a mutant's name.");
        var path = Environment.GetEnvironmentVariable(TableVariable);
        var fates = new List<MutantFate>();
        var hunt = new MutantHunt([.. ScenarioCatalog.All.Where(static scenario => Effort.IsWanted(scenario.Name))]) { MaxInterleavings = Effort.PerMutant };
        hunt.Run(mutant => only is null || Array.Exists(only, part => mutant.Name.Contains(part, StringComparison.Ordinal) || $"{mutant.Site} {mutant.Kind}" == part), Note, fate =>
        {
            // After each one, as all of them take long.
            fates.Add(fate);
            if (path is { Length: > 0 })
            {
                File.WriteAllText(path, MutantHunt.ToMarkdown(fates));
            }
        });
        Note($"{fates.Count(static fate => fate.FoundBy is not null)} of {fates.Count} mutants were found.");
        Assert.NotEmpty(fates);
    }

    private static void Note(string line) => TestContext.Current.TestOutputHelper?.WriteLine(line);
}
