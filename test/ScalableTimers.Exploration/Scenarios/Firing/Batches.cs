using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;
using static ScalableTimers.Exploration.Engine.Interleaving;

namespace ScalableTimers.Exploration.Scenarios.Firing;

/// <summary>Batches are run by several threads, handed on, and used again.</summary>
internal static class Batches
{
    /// <summary>
    /// Two pool threads run a batch while another thread hands it on once more. Each item runs once, and all workers
    /// leave.
    /// </summary>
    [Scenario]
    internal static void BatchHandedOn(Interleaving run)
    {
        var stage = new BatchStage(run);
        var batch = stage.Fill(3);
        run.PoolThreads(2);
        run.Run("queues", () =>
        {
            batch.Queue(now: 0);
            batch.HandOn(now: 0);
            stage.WaitForAll();
            stage.RequireEachRunOnce();
        });
        run.Check(stage.RequireOver);
    }

    /// <summary>
    /// A thread that looked long ago hands a batch on, while the batch ends, is rented, filled and queued again. Each
    /// item runs once, and the batch is returned once each time.
    /// </summary>
    [Scenario]
    internal static void BatchHandedOnBesideItsEnd(Interleaving run)
    {
        var stage = new BatchStage(run);
        var first = stage.Fill(2);
        run.Run("driver", () =>
        {
            first.Queue(now: 0);
            run.Pool.Drain();
            stage.Fill(2).Queue(now: 0);
            run.Pool.Drain();
        });
        run.Run("watchdog", () => first.HandOn(now: 0));
        run.PoolThreads(1);
        run.Check(() =>
        {
            stage.RequireOver();
            FiringBatch[] batches = [stage.Dispatcher.Rent(), stage.Dispatcher.Rent(), stage.Dispatcher.Rent()];
            Require(batches.Distinct().Count() == batches.Length, "A batch was given back twice.");
            Require(batches.Contains(first), "A batch was not given back.");
            Require(
                Array.TrueForAll(batches, static batch => batch is { Count: 0, Taken: 0 }),
                "A batch was given back with items.");
        });
    }

    /// <summary>
    /// A thread hands a batch on before it begins and at its end, both without effect. Then the batch is used again,
    /// and its first item blocks. If it is handed on now, it must continue.
    /// </summary>
    [Scenario]
    internal static void BatchHandedOnInTwoLives(Interleaving run)
    {
        var stage = new BatchStage(run);
        int asked = 0, step = 0;
        var batch = stage.Fill(static () => { }, () => AwaitHandingOn(2));
        run.Run("firing thread", () =>
        {
            AwaitHandingOn(1);
            stage.RunHere(batch);
            var again = stage.Fill(
                () =>
                {
                    step++;
                    run.WaitUntil(() => stage.HasRun(3), "the item after it");
                },
                static () => { });
            Require(ReferenceEquals(again, batch), "The batch was not given back.");
            stage.RunHere(batch);
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
        run.Check(stage.RequireOver);

        void AwaitHandingOn(int number)
        {
            step++;
            run.WaitUntil(() => asked == number, "handing on");
        }
    }

    /// <summary>
    /// Two callbacks throw at once while a thread takes snapshots. No failure is lost, and the counts never decrease.
    /// </summary>
    [Scenario]
    internal static void CallbacksThatThrow(Interleaving run)
    {
        var stage = new BatchStage(run);
        var dispatcher = stage.Dispatcher;
        foreach (var name in new[] { "fires", "fires too" })
        {
            run.Run(
                name, () => stage.Fire(static () => throw new InvalidOperationException("It fails.")), kind: "fires");
        }

        run.Run("reads", () =>
        {
            var (fired, failed) = (dispatcher.Fired, dispatcher.Failed);
            run.WaitUntil(() => run.HasEnded("fires") && run.HasEnded("fires too"), "end of the callbacks");
            Require(fired <= 2 && failed <= 2, "More have fired than there are.");
            Require(
                dispatcher is { Fired: 2, Failed: 2 },
                $"{dispatcher.Fired} have fired and {dispatcher.Failed} failed, of two.");
        });
    }
}
