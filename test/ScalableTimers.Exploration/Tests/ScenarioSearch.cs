using System.Globalization;
using System.Text;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>All searches of a scenario.</summary>
internal sealed class ScenarioSearch(Scenario scenario)
{
    private readonly SharedSites _shared = new();
    private readonly StringBuilder _rows = new();

    /// <summary>Explores it.</summary>
    /// <returns>
    /// A row of a table for each search: scenario, memory model, preemptions, interleavings, seconds.
    /// </returns>
    internal string Run()
    {
        // The quick searches come first. They find most defects with the fewest steps, and learn what the threads
        // share.
        Expect(NewExplorer(MemoryModel.SequentiallyConsistent).DepthFirst(1));
        foreach (var model in Enum.GetValues<MemoryModel>())
        {
            Expect(NewExplorer(model).RandomWalk(Effort.Seed, Effort.Walks));
        }

        // Store buffers include all interleavings without them, because a store may also be seen at once.
        var found = Search(scenario.Bound, Effort.PerScenario);
        Assert.True(found.IsComplete, $"{scenario.Name}: cut off after {found.Time.TotalSeconds:N0} s. {found}");
        if (Effort.IsFull)
        {
            Search(scenario.Bound + 1, Effort.PerDeeperSearch);
        }

        return _rows.ToString();
    }

    private ExplorationResult Search(int bound, TimeSpan limit)
    {
        const MemoryModel Model = MemoryModel.StoreBuffers;
        var found = NewExplorer(Model, limit).DepthFirstAt(bound);
        Expect(found);
        var cutOff = found.IsComplete ? "" : ", cut off";
        _rows.AppendLine(
            CultureInfo.InvariantCulture,
            $"| {scenario.Name} | {Model} | {bound}{cutOff} | {found.Interleavings:N0} | {found.Time.TotalSeconds:N1} |");
        return found;
    }

    private Explorer NewExplorer(MemoryModel model, TimeSpan? limit = null) =>
        new(scenario) { Model = model, Shared = _shared, MaxTime = limit ?? Effort.PerScenario };

    private static void Expect(ExplorationResult found) =>
        Assert.True(found.Failure is null, $"{found}{Environment.NewLine}{found.Report}");
}
