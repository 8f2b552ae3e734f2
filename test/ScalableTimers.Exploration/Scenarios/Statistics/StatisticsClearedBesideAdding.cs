using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Statistics are cleared while a thread adds. Runs that are added after that count, once.</summary>
internal sealed class StatisticsClearedBesideAdding : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var statistics = new OperationStatistics();
        var operation = statistics.Register("operation");
        var isCleared = false;
        int before = 0, after = 0;
        run.Run("adds", prepare: Add, body: () =>
        {
            for (var i = 0; i < 2; i++)
            {
                Add();
            }
        });
        run.Run("clears", () =>
        {
            statistics.Clear();
            isCleared = true;
        });
        run.Check(() =>
        {
            var count = statistics.Snapshot()[0].Count;
            Interleaving.Require(
                count >= after && count <= after + before - 1,
                $"{count} are counted; {after} have begun after the clearing, and {before} before, one of them long "
                + "before.");
        });

        void Add()
        {
            _ = isCleared ? after++ : before++;
            statistics.Add(operation, TimeSpan.FromMilliseconds(1));
        }
    }
}
