using Orleans.Timers.Scalable.Transactions.Confirmation;
using ScalableTimers.Exploration.Scenarios.Timeouts;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>Delays that outlive their service begin, elapse and are cancelled.</summary>
internal static class DetachedDelays
{
    /// <summary>
    /// A delay elapses and is cancelled while it registers: it ends once, and nothing stays registered.
    /// </summary>
    [Scenario]
    internal static void DetachedDelayEndsWhileItRegisters(Interleaving run) =>
        EndWhileItRegisters(run, isCancelled: true);

    /// <summary>The same without a cancellation: the delay elapses.</summary>
    [Scenario]
    internal static void DetachedDelayElapsesWhileItRegisters(Interleaving run) =>
        EndWhileItRegisters(run, isCancelled: false);

    /// <summary>
    /// A delay begins and another one expires while the service is disposed: each ends once, and true means that its
    /// time has passed.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void DetachedDelayBesideDispose(Interleaving run)
    {
        var stage = new Stage(run, firesInOrder: true);
        Task<bool>? first = null, second = null;
        run.Run(
            "owner",
            prepare: () => first = DetachedDelay.Begin(stage.Service, Ticks(1), default),
            body: () => second = DetachedDelay.Begin(stage.Service, Ticks(2), default));
        run.Run("disposes", stage.Service.Dispose);
        run.Run("driver", () => stage.Advance(1));
        run.Check(() =>
        {
            Require(!second!.IsCompleted, "A delay of 2 ticks has elapsed after 1.");
            stage.Pass(0);
            Require(first is { IsCompleted: true, Result: true }, "A delay of 1 tick is pending after it.");
            stage.Pass(2);
            Require(second is { IsCompleted: true, Result: true }, "A delay of 2 ticks is pending after 3.");
            stage.RequireDisposed();
        });
    }

    private static void EndWhileItRegisters(Interleaving run, bool isCancelled)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        Task<bool>? delay = null;
        run.Run(
            "owner",
            prepare: () => stage.Schedule(1),
            body: () =>
            {
                // It does not have the nearest deadline, because publishing that would be a fence.
                delay = DetachedDelay.Begin(stage.Service, Ticks(1), source.Token);
                Point("has begun");
            });
        if (isCancelled)
        {
            run.Run("cancels", () => Cancel(source));
        }

        run.Run("driver", () => stage.Pass(2));
        run.Check(() =>
        {
            Require(
                !delay!.IsCompletedSuccessfully || !delay.Result || stage.Clock.Elapsed >= Ticks(1),
                "A delay has elapsed early.");
            if (!isCancelled)
            {
                stage.Pass(2);
            }

            Require(delay.IsCompleted && (isCancelled || delay.Result), "A delay that is over is pending.");
            Require(!Registrations.Exist(source), "A delay that has ended is registered with its token.");
            stage.RequireOver(ticks: 2);
        });
    }
}
