using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Threads add and end while another one reads. The runs of an ended thread are kept, and counted once.
/// </summary>
internal sealed class StatisticsOfThreadsThatEnd : Scenario
{
    internal override int MaxSteps => 50_000;

    internal override void Arrange(Interleaving run)
    {
        var statistics = new OperationStatistics();
        var operation = statistics.Register("operation");
        run.Run("adds", () => statistics.Add(operation, TimeSpan.FromMilliseconds(1)));
        run.Run("reads", () =>
        {
            var first = statistics.Snapshot()[0].Count;
            run.WaitUntil(() => run.HasEnded("adds"), "end of the other");
            var last = statistics.Snapshot()[0].Count;
            Interleaving.Require(first <= 1 && last == 1, $"{first} and then {last} are counted of one.");
        });
        run.Check(
            () =>
                Interleaving.Require(
                    statistics.Threads == 0 && statistics.Snapshot()[0].Count == 1,
                    $"There are cells of {statistics.Threads} threads after all have ended."));
    }
}
