namespace ScalableTimers.Exploration.Tests;

/// <summary>
/// Measures the worth of the scenarios: each broken operation of the core should make one of them fail.
/// </summary>
public class MutantTests
{
    /// <summary>A part of the names of the mutants to run.</summary>
    private const string OnlyVariable = "SCALABLE_TIMERS_MUTANTS";

    [Fact]
    public void Mutants_EachOperation_WritesTheTable()
    {
        var only = Environment.GetEnvironmentVariable(OnlyVariable) ?? "";
        Assert.SkipUnless(Effort.IsFull || only.Length > 0, "At full length only, or for a part of a mutant's name.");
        var fates = new List<MutantFate>();
        var hunt = new MutantHunt([.. ScenarioCatalog.All.Where(static scenario => Effort.IsWanted(scenario.Name))])
        {
            MaxInterleavings = Effort.PerMutant,
        };
        hunt.Run(
            mutant => mutant.Name.Contains(only, StringComparison.Ordinal),
            static line => TestContext.Current.TestOutputHelper?.WriteLine(line),
            fates.Add);
        Effort.AddToTable(MutantHunt.ToMarkdown(fates));
        Assert.NotEmpty(fates);
    }
}
