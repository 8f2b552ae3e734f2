using ScalableTimers.Exploration.Engine;
using static ScalableTimers.Exploration.Engine.Interleaving;

namespace ScalableTimers.Exploration.Scenarios.Firing;

/// <summary>Threads wait for running callbacks, as DisposeAsync does.</summary>
internal static class Waiting
{
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
