using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios.Firing;

/// <summary>A dispatcher without a service. It counts how often each item of its batches has run.</summary>
internal sealed class BatchStage(Interleaving run, ILogger? logger = null)
{
    private readonly List<int> _runs = [];

    internal FiringDispatcher Dispatcher { get; } =
        new(new TickClock(run.Clock, Ticks(1)), logger ?? NullLogger.Instance, CallbackExceptions.Log);

    internal bool HasRun(int item) => _runs[item] > 0;

    /// <summary>A batch of items that do nothing.</summary>
    internal FiringBatch Fill(int count) => Fill([.. Enumerable.Repeat<Action>(static () => { }, count)]);

    internal FiringBatch Fill(params Action[] items) => Fill(awaited: 0, items);

    /// <summary>A batch that begins with items for which no disposal waits.</summary>
    internal FiringBatch Fill(int awaited, params Action[] items)
    {
        var batch = Dispatcher.Rent();
        foreach (var item in items)
        {
            var number = _runs.Count;
            _runs.Add(0);
            void Run()
            {
                item();
                _runs[number]++;
            }

            batch.Add(awaited-- > 0 ? new FiringItem(new Awaited(Run)) : new FiringItem(_ => Run(), null));
        }

        return batch;
    }

    /// <summary>Fires one item as the driver does in virtual time.</summary>
    internal void Fire(Action callback)
    {
        Dispatcher.Workers.Begin();
        Dispatcher.FireHere(new FiringItem(_ => callback(), null), deadlineTick: 0);
        Dispatcher.Workers.End();
    }

    /// <summary>
    /// Waits for all callbacks but those of the calling thread, as a disposal inside a callback does.
    /// </summary>
    internal void WaitForOthers()
    {
        var ended = Dispatcher.Workers.WaitForOthersAsync();
        run.WaitUntil(() => ended.IsCompleted, "end of all other callbacks");
    }

    /// <summary>Called when all threads have ended.</summary>
    internal void RequireOver()
    {
        run.Pool.Drain();
        Require(_runs.All(static count => count == 1), $"The items have run {string.Join(", ", _runs)} times.");
        Require(
            Dispatcher.Fired == _runs.Count && Dispatcher.Failed == 0,
            $"{Dispatcher.Fired} firings are counted, and {Dispatcher.Failed} failures.");
        Require(Workers(Dispatcher.Workers) == 0, "Workers are counted as running after all have ended.");
        Require(Others(Dispatcher.Urgent) == 0, "Workers are counted as queued after all have ended.");
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_others")]
    private static extern ref int Others(UrgentBatches batches);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_workers")]
    private static extern ref int Workers(FiringWorkers workers);

    private sealed class Awaited(Action run) : IResumption
    {
        public void Resume() => run();
    }
}
