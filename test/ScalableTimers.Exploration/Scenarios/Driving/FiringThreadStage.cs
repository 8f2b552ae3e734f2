using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Driving;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;
using static ScalableTimers.Exploration.Engine.Interleaving;

namespace ScalableTimers.Exploration.Scenarios.Driving;

/// <summary>
/// A firing thread runs batches of two items, and a watchdog watches it, without the rest of a driver. However driving
/// changes hands, there is at most one firing thread, each item runs once, and no thread waits for ever.
/// </summary>
internal sealed class FiringThreadStage
{
    private readonly Interleaving _run;
    private readonly int _batches;
    private readonly FiringDispatcher _dispatcher;

    internal FiringThreadStage(Interleaving run, int batches)
    {
        var clock = new TickClock(run.Clock, Stage.Ticks(1));
        _run = run;
        _batches = batches;
        _dispatcher = new FiringDispatcher(clock, NullLogger.Instance);
        Watch = new FiringWatchdog(clock);
        Runs = new int[2 * batches];

        // This makes the next batch another object than the last.
        _dispatcher.Return(new FiringBatch(_dispatcher));
        _dispatcher.Return(new FiringBatch(_dispatcher));
    }

    internal FiringWatchdog Watch { get; }

    /// <summary>How often each item has run.</summary>
    internal int[] Runs { get; }

    /// <summary>How many batches have begun.</summary>
    internal int Begun { get; private set; }

    /// <summary>Threads that drive and cannot be replaced, because they are between two batches.</summary>
    internal int FiringThreads { get; private set; }

    /// <summary>Called by the first firing thread before its first batch.</summary>
    internal Action BeforeTheFirstBatch { get; set; } = static () => { };

    /// <summary>Called by the driving thread before each batch, with its number.</summary>
    internal Action<int> BeforeBatch { get; set; } = static _ => { };

    /// <summary>Called where an item begins, with its batch and its number in it.</summary>
    internal Action<int, int> InItem { get; set; } = static (_, _) => { };

    internal Task WaitForOthersAsync() => _dispatcher.WaitForOthersAsync();

    /// <summary>Waits until the clock shows a time.</summary>
    internal void WaitFor(int milliseconds) =>
        _run.WaitUntil(() => _run.Clock.Elapsed >= TimeSpan.FromMilliseconds(milliseconds), $"{milliseconds} ms");

    /// <summary>Called in an item: waits until another one has run, which takes no longer than the watchdog.</summary>
    internal void RequireSoon(int item)
    {
        var begunAt = _run.Clock.Elapsed;
        _run.WaitUntil(() => Runs[item] == 1, "the other item");
        var waited = _run.Clock.Elapsed - begunAt;
        Require(waited <= Stage.Ticks(5), $"It has taken {waited}; five resolutions are the longest.");
    }

    /// <summary>Adds the threads and the conditions.</summary>
    internal void Start(int poolThreads = 1)
    {
        _run.Run("firing thread", () =>
        {
            BeforeTheFirstBatch();
            FiringThreads = 1;
            Drive();
            WatchAndLead();
            _run.WaitUntil(() => Runs.All(static count => count > 0), "all items");
        });
        _run.Run("watchdog", WatchAndLead);
        _run.PoolThreads(poolThreads);
        _run.Check(() =>
        {
            _run.Pool.Drain();
            Require(Runs.All(static count => count == 1), $"The items have run {string.Join(", ", Runs)} times.");
            Require(_dispatcher.Fired == Runs.Length, $"{_dispatcher.Fired} firings are counted.");
            Require(WaitForOthersAsync().IsCompleted, "Workers are counted as running after all have ended.");
        });
    }

    private void WatchAndLead()
    {
        while (Watch.UntilTakeOver())
        {
            Require(++FiringThreads == 1, "Two threads drive.");
            Drive();
        }
    }

    // This is the part of DriverPass and FiringThreadWakeSource.
    private void Drive()
    {
        while (Begun < _batches)
        {
            BeforeBatch(Begun);
            var batch = Fill(Begun++);
            _dispatcher.EnterWorker();
            batch.Begin(_run.Clock.Now);
            FiringThreads--;
            if (!Watch.TryBegin(batch))
            {
                FiringThreads++;
                batch.QueueBegun();
                _dispatcher.ExitWorker();
                continue;
            }

            // The thread may have been replaced since it began.
            batch.RunHere();
            if (!Watch.TryEnd())
            {
                return;
            }

            Require(++FiringThreads == 1, "Two threads drive.");
        }

        Watch.Dispose();
    }

    private FiringBatch Fill(int number)
    {
        var batch = _dispatcher.Rent();
        for (var i = 0; i < 2; i++)
        {
            var item = i;
            batch.Add(new FiringItem(
                _ =>
                {
                    InItem(number, item);
                    Runs[(2 * number) + item]++;
                },
                null));
        }

        return batch;
    }
}
