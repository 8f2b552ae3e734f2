using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;
using static ScalableTimers.Exploration.Engine.Interleaving;

namespace ScalableTimers.Exploration.Scenarios.Firing;

/// <summary>A dispatcher without a service. It counts how often each item of its batches has run.</summary>
internal sealed class BatchStage(Interleaving run, ILogger? logger = null)
{
    private readonly List<int> _runs = [];

    internal FiringDispatcher Dispatcher { get; } =
        new(new TickClock(run.Clock, Stage.Ticks(1)), logger ?? NullLogger.Instance);

    internal bool HasRun(int item) => _runs[item] > 0;

    /// <summary>A batch of items that do nothing.</summary>
    internal FiringBatch Fill(int count) => Fill([.. Enumerable.Repeat<Action>(static () => { }, count)]);

    internal FiringBatch Fill(params Action[] items)
    {
        var batch = Dispatcher.Rent();
        foreach (var item in items)
        {
            var number = _runs.Count;
            _runs.Add(0);
            batch.Add(new FiringItem(
                _ =>
                {
                    item();
                    _runs[number]++;
                },
                null));
        }

        return batch;
    }

    /// <summary>Runs a batch as a firing thread does.</summary>
    internal void RunHere(FiringBatch batch)
    {
        Dispatcher.EnterWorker();
        batch.Begin(run.Clock.Now);
        batch.RunHere();
    }

    /// <summary>Fires one item as the driver does in virtual time.</summary>
    internal void Fire(Action callback)
    {
        Dispatcher.EnterWorker();
        Dispatcher.FireHere(new FiringItem(_ => callback(), null), deadlineTick: 0);
        Dispatcher.ExitWorker();
    }

    internal void WaitForAll()
    {
        var ended = Dispatcher.WaitForOthersAsync();
        run.WaitUntil(() => ended.IsCompleted, "end of all callbacks");
    }

    internal void PassTo(int seconds) => run.Clock.PassTo(TimeSpan.FromSeconds(seconds).Ticks);

    internal void RequireEachRunOnce() =>
        Require(_runs.All(static count => count == 1), $"The items have run {string.Join(", ", _runs)} times.");

    /// <summary>Called when all threads have ended.</summary>
    internal void RequireOver()
    {
        run.Pool.Drain();
        RequireEachRunOnce();
        Require(Dispatcher.Fired == _runs.Count, $"{Dispatcher.Fired} firings are counted.");
        Require(
            Dispatcher.WaitForOthersAsync().IsCompleted, "Workers are counted as running after all have ended.");
    }

    /// <summary>Requires that two items were late, the later one by two seconds.</summary>
    internal void RequireTwoLate()
    {
        Require(Dispatcher.PoolWaits == 2, $"{Dispatcher.PoolWaits} firings are counted as late.");
        Require(
            Dispatcher.LongestPoolWait == TimeSpan.FromSeconds(2),
            $"The longest wait is {Dispatcher.LongestPoolWait}.");
    }
}
