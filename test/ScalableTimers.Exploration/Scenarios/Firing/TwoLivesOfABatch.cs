using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A batch of two items is queued, and then two more items, in the same batch if it has ended by then. This class
/// checks the conditions at the end.
/// </summary>
internal sealed class TwoLivesOfABatch(FiringDispatcher dispatcher)
{
    private const int ItemsOfALife = 2;
    private readonly int[] _runs = new int[2 * ItemsOfALife];

    /// <summary>The batch of the first two items.</summary>
    internal FiringBatch First { get; private set; } = null!;

    internal void FillFirst() => First = Fill(0);

    internal FiringBatch FillSecond() => Fill(ItemsOfALife);

    internal void RequireEachRunOnce() =>
        Interleaving.Require(
            _runs.All(static count => count == 1), $"The items have run {string.Join(", ", _runs)} times.");

    /// <summary>Called when all has ended.</summary>
    internal void RequireInOrder()
    {
        RequireEachRunOnce();
        Interleaving.Require(dispatcher.Fired == _runs.Length, $"{dispatcher.Fired} firings are counted.");
        Interleaving.Require(
            dispatcher.WaitForOthersAsync().IsCompleted, "Workers are counted as running after all have ended.");
        var batches = new[] { dispatcher.Rent(), dispatcher.Rent(), dispatcher.Rent() };
        Interleaving.Require(batches.Distinct().Count() == batches.Length, "A batch was given back twice.");
        Interleaving.Require(batches.Contains(First), "A batch was not given back.");
        Interleaving.Require(
            Array.TrueForAll(batches, static batch => batch.Count == 0 && batch.Taken == 0),
            "A batch was given back with items.");
    }

    private FiringBatch Fill(int first)
    {
        var batch = dispatcher.Rent();
        for (var i = first; i < first + ItemsOfALife; i++)
        {
            var item = i;
            batch.Add(new FiringItem(_ => _runs[item]++, null));
        }

        return batch;
    }
}
