using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// There are so many cells that the next thread looks for the cells of ended threads, while their thread adds and ends.
/// No run is lost.
/// </summary>
internal sealed class StatisticsOfManyThreadsThatEnd : Scenario
{
    internal override int MaxSteps => 50_000;

    internal override void Arrange(Interleaving run)
    {
        var statistics = new OperationStatistics();
        var operation = statistics.Register("operation");
        const int Cells = 16;
        run.Run(
            "adds",
            prepare: () =>
            {
                // The cells of just as many threads as do not cause a search. All belong to this thread, which forgets
                // them.
                for (var i = 1; i < Cells; i++)
                {
                    Add();
                    ThreadStatics.Reset();
                }

                Add();
            },
            body: Add);
        run.Run("adds first", Add);
        run.Check(() =>
        {
            var count = statistics.Snapshot()[0].Count;
            Interleaving.Require(count == Cells + 2, $"{count} are counted of {Cells + 2}.");
        });

        void Add() => statistics.Add(operation, TimeSpan.FromMilliseconds(1));
    }
}
