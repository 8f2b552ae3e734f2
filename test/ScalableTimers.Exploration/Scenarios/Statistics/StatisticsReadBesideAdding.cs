using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Statistics are read while a thread adds more operations than its cells have room for. Counts never decrease, and at
/// the end all runs are there.
/// </summary>
internal sealed class StatisticsReadBesideAdding : Scenario
{
    // One operation more than the initial room.
    private const int Operations = 5;

    internal override int MaxSteps => 50_000;

    internal override void Arrange(Interleaving run)
    {
        var statistics = new OperationStatistics();
        var operations = Enumerable.Range(0, Operations)
            .Select(number => statistics.Register($"operation {number}"))
            .ToArray();
        run.Run("adds", () =>
        {
            statistics.Add(operations[0], TimeSpan.FromMilliseconds(3));
            statistics.Add(operations[^1], TimeSpan.FromMilliseconds(1));
            statistics.Add(operations[0], TimeSpan.FromMilliseconds(1));
        });
        run.Run("reads", () =>
        {
            var first = statistics.Snapshot();
            run.WaitUntil(() => run.HasEnded("adds"), "end of the other");
            var all = statistics.Snapshot();
            Interleaving.Require(
                first[0].Count <= 2 && first[^1].Count <= 1 && first[0].MaxTimeMs is 0 or 3, $"{first[0]} {first[^1]}");
            Interleaving.Require(all[0] is { Count: 2, TotalTimeMs: 4, MaxTimeMs: 3, MinTimeMs: 1 }, $"{all[0]}");
            Interleaving.Require(all[^1] is { Count: 1, TotalTimeMs: 1, MaxTimeMs: 1, MinTimeMs: 1 }, $"{all[^1]}");
        });
    }
}
