using System.Globalization;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>Every scenario, with each memory model, up to its bound of preemptions; random walks besides at full length.</summary>
public class ScenarioTests
{
    public static TheoryData<string> Names => [.. ScenarioCatalog.All.Select(static scenario => scenario.Name).Where(Effort.IsWanted)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Scenario_EveryInterleaving_Holds(string name)
    {
        var scenario = ScenarioCatalog.Find(name);
        var explorer = new Explorer(scenario) { MaxTime = Effort.PerScenario };
        Explore(scenario, explorer);
        if (explorer.HasReordering)
        {
            Explore(scenario, new Explorer(scenario) { Model = MemoryModel.StoreBuffers, MaxTime = Effort.PerScenario });
        }
        else
        {
            Write($"| {name} | {MemoryModel.StoreBuffers} | | | | the same: no load follows a store without a fence between |");
        }
    }

    private static void Explore(Scenario scenario, Explorer explorer)
    {
        var bound = scenario.Bound + Effort.MorePreemptions;
        var found = explorer.DepthFirst(bound);
        Write(string.Create(
            CultureInfo.InvariantCulture,
            $"| {scenario.Name} | {explorer.Model} | {bound} | {found.Interleavings:N0} | {found.Time.TotalSeconds:N1} s | {(found.IsComplete ? "complete" : $"CUT OFF at {found.Strategy}")} |"));
        Expect(found);
        Assert.True(found.IsComplete, $"{scenario.Name}, {explorer.Model}: cut off after {found.Time.TotalSeconds:N0} s. {found}");
        Expect(explorer.RandomWalk(Effort.Seed, Effort.Walks));
        Expect(explorer.PriorityWalk(Effort.Seed, depth: 3, Effort.Walks));
    }

    private static void Expect(ExplorationResult found) =>
        Assert.True(found.Failure is null, $"{found}{Environment.NewLine}{found.Report}");

    private static void Write(string row) => TestContext.Current.TestOutputHelper?.WriteLine(row);
}
