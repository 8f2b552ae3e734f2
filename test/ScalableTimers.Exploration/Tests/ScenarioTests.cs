using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>
/// Every scenario up to its bound of preemptions, with store buffers where these may make a difference, and random
/// walks.
/// </summary>
public class ScenarioTests
{
    /// <summary>A file that receives the table of all searches.</summary>
    private const string TableVariable = "SCALABLE_TIMERS_EXPLORATION_TABLE";

    public static TheoryData<string> Names =>
        [.. ScenarioCatalog.All.Select(static scenario => scenario.Name).Where(Effort.IsWanted)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Scenario_EveryInterleaving_Holds(string name)
    {
        var rows = new ScenarioSearch(ScenarioCatalog.Find(name)).Run();
        TestContext.Current.TestOutputHelper?.Write(rows);
        if (Environment.GetEnvironmentVariable(TableVariable) is { Length: > 0 } file)
        {
            File.AppendAllText(file, rows);
        }
    }
}
