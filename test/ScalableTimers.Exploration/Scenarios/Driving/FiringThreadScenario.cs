using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Driving;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A firing thread runs batches and a watchdog watches it, without the rest of a driver. However driving changes hands,
/// there is at most one firing thread, each item runs once, and no thread waits for ever.
/// </summary>
internal abstract class FiringThreadScenario : Scenario
{
    protected abstract int Batches { get; }

    protected virtual int PoolThreads => 1;

    /// <summary>Called where an item begins.</summary>
    protected virtual void RunItem(Interleaving run, State state, int batch, int item)
    {
    }

    /// <summary>Called by the first firing thread before its first batch.</summary>
    protected virtual void BeforeTheFirstBatch(Interleaving run, State state)
    {
    }

    /// <summary>Called by the driving thread before each batch.</summary>
    protected virtual void BeforeBatch(Interleaving run, State state, int batch)
    {
    }

    /// <summary>Adds more threads.</summary>
    protected virtual void AddThreads(Interleaving run, State state)
    {
    }

    internal override void Arrange(Interleaving run)
    {
        var state = new State(run, Batches);
        run.Run("firing thread", () =>
        {
            BeforeTheFirstBatch(run, state);
            state.FiringThreads = 1;
            Drive(run, state);
            WatchAndLead(run, state);
            run.WaitUntil(() => state.Runs.All(static count => count > 0), "all items");
        });
        run.Run("watchdog", () => WatchAndLead(run, state));
        AddThreads(run, state);
        run.PoolThreads(PoolThreads);
        run.Check(() =>
        {
            run.Pool.Drain();
            Interleaving.Require(
                state.Runs.All(static count => count == 1),
                $"The items have run {string.Join(", ", state.Runs)} times.");
            Interleaving.Require(
                state.Dispatcher.Fired == state.Runs.Length, $"{state.Dispatcher.Fired} firings are counted.");
            Interleaving.Require(
                state.Dispatcher.WaitForOthersAsync().IsCompleted,
                "Workers are counted as running after all have ended.");
        });
    }

    private void WatchAndLead(Interleaving run, State state)
    {
        while (state.Watch.UntilTakeOver())
        {
            Interleaving.Require(++state.FiringThreads == 1, "Two threads drive.");
            Drive(run, state);
        }
    }

    // This is the part of DriverPass and FiringThreadWakeSource.
    private void Drive(Interleaving run, State state)
    {
        while (state.Begun < Batches)
        {
            BeforeBatch(run, state, state.Begun);
            var number = state.Begun++;
            var batch = state.Dispatcher.Rent();
            for (var i = 0; i < 2; i++)
            {
                var item = i;
                batch.Add(new FiringItem(
                    _ =>
                    {
                        RunItem(run, state, number, item);
                        state.Runs[(2 * number) + item]++;
                    },
                    null));
            }

            state.Dispatcher.EnterWorker();
            batch.Begin(run.Clock.Now);
            state.FiringThreads--;
            if (!state.Watch.TryBegin(batch))
            {
                state.FiringThreads++;
                batch.QueueBegun();
                state.Dispatcher.ExitWorker();
                continue;
            }

            // The thread may have been replaced since it began.
            batch.RunHere();
            if (!state.Watch.TryEnd())
            {
                return;
            }

            Interleaving.Require(++state.FiringThreads == 1, "Two threads drive.");
        }

        state.Watch.Dispose();
    }

    internal sealed class State
    {
        internal State(Interleaving run, int batches)
        {
            var clock = new TickClock(run.Clock, TimeSpan.FromMilliseconds(10));
            Dispatcher = new FiringDispatcher(clock, NullLogger.Instance);
            Watch = new FiringWatchdog(clock);

            // This makes the next batch another object than the last.
            Dispatcher.Return(new FiringBatch(Dispatcher));
            Dispatcher.Return(new FiringBatch(Dispatcher));
            Runs = new int[2 * batches];
        }

        internal FiringDispatcher Dispatcher { get; }

        internal FiringWatchdog Watch { get; }

        internal int[] Runs { get; }

        internal int Begun { get; set; }

        /// <summary>Threads that drive and cannot be replaced, because they are between two batches.</summary>
        internal int FiringThreads { get; set; }
    }
}
