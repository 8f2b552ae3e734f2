namespace ScalableTimers.Exploration.Tests;

/// <summary>Every scenario up to its bound of preemptions, with store buffers, and random walks.</summary>
public class ScenarioTests
{
    public static TheoryData<string> Names =>
        [.. ScenarioCatalog.All.Select(static scenario => scenario.Name).Where(Effort.IsWanted)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Scenario_EveryInterleaving_Holds(string name)
    {
        var scenario = ScenarioCatalog.Find(name);
        var shared = new SharedSites();

        // The quick searches come first. They find most defects with the fewest steps, and learn what the threads
        // share.
        Expect(new Explorer(scenario) { Shared = shared }.DepthFirst(1));
        foreach (var model in Enum.GetValues<MemoryModel>())
        {
            Expect(new Explorer(scenario) { Model = model, Shared = shared }.RandomWalk(Effort.Seed, Effort.Walks));
        }

        var found = Search(scenario, shared, scenario.Bound, Effort.PerScenario);
        Assert.True(found.IsComplete, $"Cut off after {found.Time.TotalSeconds:N0} s. {found}");
        if (Effort.IsFull)
        {
            Search(scenario, shared, scenario.Bound + 1, Effort.PerDeeperSearch);
        }
    }

    // Store buffers include all interleavings without them, because a store may also be seen at once.
    private static ExplorationResult Search(Scenario scenario, SharedSites shared, int bound, TimeSpan limit)
    {
        var explorer = new Explorer(scenario) { Model = MemoryModel.StoreBuffers, Shared = shared, MaxTime = limit };
        var found = explorer.DepthFirstAt(bound);
        Expect(found);
        var cutOff = found.IsComplete ? "" : ", cut off";
        Effort.AddToTable(
            $"| {scenario.Name} | {explorer.Model} | {bound}{cutOff} | {found.Interleavings:N0} | "
            + $"{found.Time.TotalSeconds:N1} |{Environment.NewLine}");
        return found;
    }

    private static void Expect(ExplorationResult found) =>
        Assert.True(found.Failure is null, $"{found}{Environment.NewLine}{found.Report}");
}
