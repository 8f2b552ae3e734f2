using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers.Exploration.Tests;

/// <summary>The operations on which the protocols rest, each found quickly when it works wrongly. So a change that makes the explorer blind fails the ordinary run.</summary>
public class KeyMutantTests
{
    private const int MaxInterleavings = 3_000;

    /// <summary>The scenario, the file, the line's text and what is wrong with it. A line that is gone fails: put the one that has taken its place here.</summary>
    public static TheoryData<string, string, string, string> Mutants => new()
    {
//LIST
    };

    [Theory]
    [MemberData(nameof(Mutants))]
    public void Mutant_OfTheProtocols_IsFound(string scenario, string file, string text, string kind)
    {
        var fates = new List<MutantFate>();
        var hunt = new MutantHunt([ScenarioCatalog.Find(scenario)]) { MaxInterleavings = MaxInterleavings, AreHealthy = true };
        hunt.Run(
            mutant => mutant.Kind.ToString() == kind && mutant.Site.FileName == file && mutant.Site.ReadText() == text,
            line => TestContext.Current.TestOutputHelper?.WriteLine(line),
            fates.Add);
        Assert.True(fates.Count > 0, $"{scenario} passes no line of {file} that reads: {text}");
        Assert.Contains(fates, static fate => fate.FoundBy is not null);
    }
}
