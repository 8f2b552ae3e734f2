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
        var shared = new SharedSites();
        Explore(scenario, MemoryModel.SequentiallyConsistent, shared);
        if (shared.HasReordering)
        {
            Explore(scenario, MemoryModel.StoreBuffers, new SharedSites());
        }
        else
        {
            Write($"| {name} | {MemoryModel.StoreBuffers} | | | | the same: no load follows a store without a fence between |");
        }
    }

    // At full length the search must come to its end. In the ordinary run it must for no preemption, and goes as far as its time allows.
    private static void Explore(Scenario scenario, MemoryModel model, SharedSites shared)
    {
        var bound = scenario.Bound + Effort.MorePreemptions;
        var most = new Explorer(scenario) { Model = model, Shared = shared, MaxTime = Effort.PerScenario };
        var found = most.DepthFirst(Effort.IsFull ? bound : 0);
        Expect(found);
        Assert.True(found.IsComplete, $"{scenario.Name}, {model}: cut off after {found.Time.TotalSeconds:N0} s. {found}");
        if (!Effort.IsFull)
        {
            found = new Explorer(scenario) { Model = model, Shared = shared, MaxTime = Effort.PerScenarioInShort }.DepthFirst(bound);
            Expect(found);
        }

        Write(string.Create(
            CultureInfo.InvariantCulture,
            $"| {scenario.Name} | {model} | {bound} | {found.Interleavings:N0} | {found.Time.TotalSeconds:N1} s | {(found.IsComplete ? "complete" : $"cut off at {found.Strategy}")} |"));
        var walks = new Explorer(scenario) { Model = model, Shared = shared, MaxTime = Effort.PerScenario };
        Expect(walks.RandomWalk(Effort.Seed, Effort.Walks));
        Expect(walks.PriorityWalk(Effort.Seed, depth: 3, Effort.Walks));
    }

    private static void Expect(ExplorationResult found) =>
        Assert.True(found.Failure is null, $"{found}{Environment.NewLine}{found.Report}");

    private static void Write(string row) => TestContext.Current.TestOutputHelper?.WriteLine(row);
}
