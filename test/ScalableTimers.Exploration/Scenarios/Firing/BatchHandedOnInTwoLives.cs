using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A thread hands a batch on before it begins and at its end, both without effect. Then the batch is used again, and
/// its first item blocks. If it is handed on now, it must continue.
/// </summary>
internal sealed class BatchHandedOnInTwoLives : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        var batch = dispatcher.Rent();
        int asked = 0, step = 0;
        var runs = new int[4];
        run.Run("firing thread", () =>
        {
            Fill(0, static () => { }, () => AwaitHandingOn(2));
            AwaitHandingOn(1);
            RunHere();
            Interleaving.Require(ReferenceEquals(dispatcher.Rent(), batch), "The batch was not given back.");
            Fill(2, () =>
            {
                step++;
                run.WaitUntil(() => runs[3] == 1, "the item after it");
            }, static () => { });
            RunHere();
        });
        run.Run("watchdog", () =>
        {
            for (var i = 1; i <= 3; i++)
            {
                var number = i;
                run.WaitUntil(() => step == number, "the firing thread");
                batch.HandOn(now: 0);
                asked++;
            }
        });
        run.PoolThreads(1);
        run.Check(() =>
        {
            run.Pool.Drain();
            Interleaving.Require(
                runs.All(static count => count == 1), $"The items have run {string.Join(", ", runs)} times.");
            Interleaving.Require(
                dispatcher.WaitForOthersAsync().IsCompleted, "Workers are counted as running after all have ended.");
        });

        void AwaitHandingOn(int number)
        {
            step++;
            run.WaitUntil(() => asked == number, "handing on");
        }

        void Fill(int first, params Action[] items)
        {
            for (var i = 0; i < items.Length; i++)
            {
                var (number, item) = (first + i, items[i]);
                batch.Add(new FiringItem(
                    _ =>
                    {
                        item();
                        runs[number]++;
                    },
                    null));
            }
        }

        void RunHere()
        {
            dispatcher.EnterWorker();
            batch.Begin(now: 0);
            batch.RunHere();
        }
    }
}
