using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>Every scenario up to its bound of preemptions, with store buffers, and random walks.</summary>
public class ScenarioTests
{
    public static TheoryData<string> Names =>
        [.. ScenarioCatalog.All.Select(static scenario => scenario.Name).Where(Effort.IsWanted)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Scenario_EveryInterleaving_Holds(string name) =>
        Effort.AddToTable(new ScenarioSearch(ScenarioCatalog.Find(name)).Run());
}
