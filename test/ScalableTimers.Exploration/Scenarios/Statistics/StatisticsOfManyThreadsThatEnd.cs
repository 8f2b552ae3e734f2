using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// There are so many cells that the next thread looks for those of ended ones, while the thread that they belong to
/// adds and ends: nothing is lost.
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
                // Cells of as many threads as are not looked for, all of this one, which forgets them.
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
