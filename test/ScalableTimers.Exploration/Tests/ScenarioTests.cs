using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>Every scenario, with each memory model, up to its bound of preemptions; random walks besides at full length.</summary>
public class ScenarioTests
{
    public static TheoryData<string> Names => [.. ScenarioCatalog.All.Select(static scenario => scenario.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Scenario_EveryInterleaving_Holds(string name) => Explore(name, MemoryModel.SequentiallyConsistent);

    [Theory]
    [MemberData(nameof(Names))]
    public void Scenario_EveryInterleavingWithStoreBuffers_Holds(string name) => Explore(name, MemoryModel.StoreBuffers);

    private static void Explore(string name, MemoryModel model)
    {
        var scenario = ScenarioCatalog.Find(name);
        var explorer = new Explorer(scenario) { Model = model, MaxTime = Effort.PerScenario };
        Expect(explorer.DepthFirst(scenario.Bound + Effort.MorePreemptions));
        Expect(explorer.RandomWalk(Effort.Seed, Effort.Walks));
        Expect(explorer.PriorityWalk(Effort.Seed, depth: 3, Effort.Walks));
    }

    private static void Expect(ExplorationResult found)
    {
        TestContext.Current.TestOutputHelper?.WriteLine(found.ToString());
        Assert.True(found.Failure is null, $"{found}{Environment.NewLine}{found.Report}");
    }
}
