using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios.Firing;

/// <summary>Threads wait for running callbacks, as DisposeAsync does.</summary>
internal static class Waiting
{
    /// <summary>
    /// Two threads wait while two callbacks run and end. Neither wait ends before the callbacks, and both end.
    /// </summary>
    [Scenario]
    internal static void TwoWaitForCallbacks(Interleaving run)
    {
        var stage = new BatchStage(run);
        var running = 2;
        foreach (var name in new[] { "ends", "ends too" })
        {
            run.Run(
                name,
                prepare: () =>
                {
                    // One of them has ended a worker before anyone waits.
                    stage.Fire(static () => { });
                    stage.Dispatcher.Workers.Begin();
                },
                body: () =>
                {
                    running--;
                    stage.Dispatcher.Workers.End();
                });
        }

        foreach (var name in new[] { "waits", "waits too" })
        {
            run.Run(
                name,
                () =>
                {
                    stage.WaitForOthers();
                    Require(running == 0, $"{running} callbacks run after the wait for all.");
                },
                kind: "waits");
        }
    }

    /// <summary>
    /// Code after a wait goes on in a worker, and itself waits for the end of all callbacks, like the main method of a
    /// host. That end comes, and no callback of its batch begins after it. (Seen to wait for ever without
    /// <see cref="FiringDispatcher.Workers.StepOut"/>.)
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void AwaitedCodeWaitsForTheEnd(Interleaving run) => RunAwaitedCode(run, waits: true);

    /// <summary>The same with code that ends, so that its worker goes on with the callbacks of its batch.</summary>
    [Scenario(Bound = 1)]
    internal static void AwaitedCodeBeforeCallbacks(Interleaving run) => RunAwaitedCode(run, waits: false);

    /// <summary>
    /// Two callbacks of one batch, on two pool threads, dispose the service and wait for it, and a third one runs.
    /// Neither waits for the other, and the third one has run when either wait ends.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void TwoCallbacksDisposeAndWait(Interleaving run)
    {
        var stage = new Stage(run);
        int waited = 0, ran = 0;
        run.Run(
            "driver",
            prepare: () =>
            {
                stage.Schedule(1, DisposeAndWait);
                stage.Schedule(1, DisposeAndWait);
                stage.Schedule(1, () =>
                {
                    Require(waited == 0, "A callback has begun after the wait for all.");
                    Point("in the callback");
                    ran++;
                });
            },
            body: () =>
            {
                stage.Advance(1);
                run.WaitUntil(() => waited == 2, "both waits");
            });
        run.PoolThreads(3);
        run.Check(stage.RequireDisposed);

        void DisposeAndWait()
        {
            stage.DisposeAndWait();
            Require(ran == 1, "A callback of the batch has not run after the wait for all.");
            waited++;
        }
    }

    /// <summary>
    /// The same in virtual time, where each callback runs inside a call of the clock on its own thread.
    /// </summary>
    [Scenario]
    internal static void TwoCallbacksInOrderDisposeAndWait(Interleaving run)
    {
        var stage = new Stage(run, isOrdered: true);
        int fired = 0, waited = 0;
        run.Run(
            "ring",
            prepare: () =>
            {
                for (var i = 0; i < 2; i++)
                {
                    stage.Schedule(1, () =>
                    {
                        fired++;
                        stage.DisposeAndWait();
                        waited++;
                    });
                }

                stage.PassTo(1);
            },
            body: stage.Service.Driver.Serve);
        run.Run("other ring", stage.Service.Driver.Serve);
        run.Check(() =>
        {
            var seen = stage.RequireInOrder();
            Require(
                waited == fired && seen is { Pending: 0 } && seen.Fired == fired,
                $"{fired} callbacks have begun and {waited} have ended: {seen}.");
        });
    }

    /// <summary>
    /// A thread disposes the service and waits for it, while the driver takes timers out. No callback begins or runs
    /// after the wait.
    /// </summary>
    [Scenario]
    internal static void CallbacksBesideDisposeAsync(Interleaving run)
    {
        const int Callbacks = 2;
        var stage = new Stage(run);
        var isOver = false;
        int running = 0, fired = 0;
        run.Run(
            "driver",
            prepare: () =>
            {
                for (var i = 0; i < Callbacks; i++)
                {
                    stage.Schedule(1, () =>
                    {
                        Require(!isOver, "A callback has begun after the wait for all.");
                        running++;
                        Point("in the callback");
                        running--;
                        fired++;
                    });
                }
            },
            body: () => stage.Advance(1));
        run.Run("disposes", () =>
        {
            stage.DisposeAndWait();
            isOver = true;
            var seen = stage.Figures;
            Require(running == 0, "A callback runs after the wait for all.");
            Require(
                seen.Fired == fired && seen.Fired + seen.Dropped == Callbacks,
                $"{seen.Fired} are counted as fired, {seen.Dropped} as dropped; {fired} have fired.");
        });
        run.PoolThreads(1);
    }

    private static void RunAwaitedCode(Interleaving run, bool waits)
    {
        var stage = new BatchStage(run);
        var isOver = false;
        var batch = stage.Fill(
            awaited: 1,
            () => run.WaitUntil(() => isOver || !waits, "end of all callbacks"),
            () =>
            {
                Require(!isOver, "A callback has begun after the wait for all.");
                Point("in the callback");
                Require(!isOver, "A callback runs after the wait for all.");
            },
            () => Require(!isOver, "A callback has begun after the wait for all."));
        run.Run("disposes", () =>
        {
            batch.Start(now: default);
            stage.WaitForOthers();
            isOver = true;
        });
        run.PoolThreads(2);
        run.Check(stage.RequireOver);
    }
}
