using ScalableTimers.Exploration.Engine;
using static ScalableTimers.Exploration.Engine.Interleaving;

namespace ScalableTimers.Exploration.Scenarios.Firing;

/// <summary>Threads wait for running callbacks, as DisposeAsync does.</summary>
internal static class Waiting
{
    /// <summary>Two threads wait for the running callbacks while the last one returns. Both waits end.</summary>
    [Scenario]
    internal static void TwoWaitForOthers(Interleaving run)
    {
        var stage = new BatchStage(run);
        var isRunning = false;
        run.Run("fires", () => stage.Fire(() =>
        {
            isRunning = true;
            Point("in the callback");
            isRunning = false;
        }));
        for (var i = 1; i <= 2; i++)
        {
            run.Run($"waits {i}", Wait, kind: "waits");
        }

        void Wait()
        {
            var wasRunning = isRunning;
            stage.WaitForAll();
            Require(!wasRunning || !isRunning, "A callback that ran before the wait runs after it.");
        }
    }

    /// <summary>
    /// A thread waits for a running callback while the wait for an earlier one ends. It does not miss the callback's
    /// end.
    /// </summary>
    [Scenario]
    internal static void WaitBesideTheEndOfAnotherWait(Interleaving run)
    {
        var stage = new BatchStage(run);
        var dispatcher = stage.Dispatcher;
        Task? first = null, second = null;
        var isRunning = false;
        run.Run(
            "ends",
            prepare: () =>
            {
                dispatcher.EnterWorker();
                first = dispatcher.WaitForOthersAsync();
            },
            body: dispatcher.ExitWorker);
        run.Run("fires", () => stage.Fire(() =>
        {
            isRunning = true;
            run.WaitUntil(() => second is not null, "the second wait");
            isRunning = false;
        }));
        run.Run("waits", () =>
        {
            run.WaitUntil(() => isRunning, "the callback");
            second = dispatcher.WaitForOthersAsync();
            run.WaitUntil(() => first!.IsCompleted && second.IsCompleted, "end of the callbacks");
            Require(!isRunning, "A callback that ran before the wait runs after it.");
        });
    }

    /// <summary>
    /// A callback begins to wait for the others and returns without having waited. Its thread fires the next callback.
    /// The wait includes that one too, and no longer excludes the callback that began it.
    /// </summary>
    [Scenario]
    internal static void CallbackWaitsAndItsThreadFiresOn(Interleaving run)
    {
        var stage = new BatchStage(run);
        Task? others = null;
        var batch = stage.Fill(() => others = stage.Dispatcher.WaitForOthersAsync(), () =>
        {
            var hadEnded = others!.IsCompleted;
            Point("in the second callback");
            Require(hadEnded || !others!.IsCompleted, "The wait has ended while a callback runs.");
        });
        run.Run("fires", () => stage.RunHere(batch));
        run.Run("fires besides", () => stage.Fire(static () => Point("in a callback")));
        run.PoolThreads(1);
        run.Check(() => Require(others!.IsCompleted, "The wait has not ended."));
    }

    /// <summary>
    /// A thread disposes the service and waits for it, while the driver takes timers out. No callback begins or runs
    /// after the wait.
    /// </summary>
    [Scenario]
    internal static void CallbacksBesideDisposeAsync(Interleaving run) =>
        DisposeBesideCallbacks(run, firesInOrder: false, callbacks: 2);

    /// <summary>
    /// The same in virtual time. One thread disposes the service and waits for it, while another one advances the
    /// clock.
    /// </summary>
    [Scenario]
    internal static void CallbacksInOrderBesideDisposeAsync(Interleaving run) =>
        DisposeBesideCallbacks(run, firesInOrder: true, callbacks: 1);

    private static void DisposeBesideCallbacks(Interleaving run, bool firesInOrder, int callbacks)
    {
        var stage = new Stage(run, firesInOrder);
        var isOver = false;
        int running = 0, fired = 0;
        run.Run(
            "driver",
            prepare: () =>
            {
                for (var i = 0; i < callbacks; i++)
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
                seen.Fired == fired && seen.Fired + seen.Dropped == callbacks,
                $"{seen.Fired} are counted as fired, {seen.Dropped} as dropped; {fired} have fired.");
        });
        run.PoolThreads(1);
    }
}
