using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Driving;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A leader runs batches and a relief watches it, without the rest of a driver. However leading passes, there is one leader at most, each item runs
/// once, and nobody waits for good.
/// </summary>
internal abstract class LeaderAndReliefScenario : Scenario
{
    protected abstract int Batches { get; }

    protected virtual int PoolThreads => 1;

    /// <summary>Called where an item begins.</summary>
    protected virtual void RunItem(Interleaving run, State state, int batch, int item)
    {
    }

    /// <summary>Called by the first leader before its first batch.</summary>
    protected virtual void BeforeTheFirstBatch(Interleaving run, State state)
    {
    }

    /// <summary>Called by whoever leads before each batch.</summary>
    protected virtual void BeforeBatch(Interleaving run, State state, int batch)
    {
    }

    /// <summary>For threads besides.</summary>
    protected virtual void AddThreads(Interleaving run, State state)
    {
    }

    internal override void Arrange(Interleaving run)
    {
        var state = new State(run, Batches);
        run.Run("leader", () =>
        {
            BeforeTheFirstBatch(run, state);
            state.Leaders = 1;
            Lead(run, state);
            WatchAndLead(run, state);
            run.WaitUntil(() => state.Runs.All(static count => count > 0), "all items");
        });
        run.Run("relief", () => WatchAndLead(run, state));
        AddThreads(run, state);
        run.PoolThreads(PoolThreads);
        run.Check(() =>
        {
            run.Pool.Drain();
            Interleaving.Require(state.Runs.All(static count => count == 1), $"The items have run {string.Join(", ", state.Runs)} times.");
            Interleaving.Require(state.Dispatcher.Fired == state.Runs.Length, $"{state.Dispatcher.Fired} firings are counted.");
            Interleaving.Require(state.Dispatcher.WaitForOthersAsync().IsCompleted, "Workers are counted as running after all have ended.");
        });
    }

    private void WatchAndLead(Interleaving run, State state)
    {
        while (state.Watch.UntilRelieved())
        {
            Interleaving.Require(++state.Leaders == 1, "Two threads lead.");
            Lead(run, state);
        }
    }

    // What DriverPass and LeaderAndRelief do.
    private void Lead(Interleaving run, State state)
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
            state.Leaders--;
            if (!state.Watch.TryBegin(batch))
            {
                state.Leaders++;
                batch.QueueBegun();
                state.Dispatcher.ExitWorker();
                continue;
            }

            // It may have been relieved since it has begun.
            batch.RunHere();
            if (!state.Watch.TryEnd())
            {
                return;
            }

            Interleaving.Require(++state.Leaders == 1, "Two threads lead.");
        }

        state.Watch.Dispose();
    }

    internal sealed class State
    {
        internal State(Interleaving run, int batches)
        {
            var clock = new TickClock(run.Clock, TimeSpan.FromMilliseconds(10));
            Dispatcher = new FiringDispatcher(clock, NullLogger.Instance);
            Watch = new FiringWatch(clock);

            // So that the next batch is another object than the last.
            Dispatcher.Return(new FiringBatch(Dispatcher));
            Dispatcher.Return(new FiringBatch(Dispatcher));
            Runs = new int[2 * batches];
        }

        internal FiringDispatcher Dispatcher { get; }

        internal FiringWatch Watch { get; }

        internal int[] Runs { get; }

        internal int Begun { get; set; }

        /// <summary>Threads that lead and cannot be relieved, because they are between two batches.</summary>
        internal int Leaders { get; set; }
    }
}
