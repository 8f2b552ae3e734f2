using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Timeouts;
using static ScalableTimers.Exploration.Engine.Interleaving;
using static ScalableTimers.Exploration.Scenarios.Stage;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>Delays that outlive their service begin, elapse and are cancelled.</summary>
internal static class DetachedDelays
{
    /// <summary>
    /// A delay elapses and is cancelled while it registers: it ends once, and nothing stays registered.
    /// </summary>
    [Scenario]
    internal static void DetachedDelayEndsWhileItRegisters(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        Task<bool>? delay = null;
        run.Run(
            "owner",
            prepare: () => stage.Schedule(1),
            body: () => delay = stage.Service.BeginDetachedDelay(Ticks(1), source.Token));
        run.Run("cancels", () => Cancel(source));
        run.Run("driver", () => stage.Pass(2));
        run.Check(() =>
        {
            Require(delay!.IsCompleted, "A delay whose token was cancelled is pending.");
            Require(!delay.Result || stage.Clock.Elapsed >= Ticks(1), "A delay has elapsed early.");
            Require(!Registrations.Exist(source), "A delay that has ended is registered with its token.");
            stage.RequireOver(ticks: 2);
        });
    }

    /// <summary>The same without a cancellation: the delay elapses.</summary>
    [Scenario]
    internal static void DetachedDelayElapsesWhileItRegisters(Interleaving run)
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
                delay = stage.Service.BeginDetachedDelay(Ticks(1), source.Token);
                Point("has begun");
            });
        run.Run("driver", () => stage.Pass(2));
        run.Check(() =>
        {
            stage.Pass(2);
            Require(delay is { IsCompleted: true, Result: true }, "A delay has not elapsed.");
            Require(!Registrations.Exist(source), "A delay that has ended is registered with its token.");
            stage.RequireOver(ticks: 1);
        });
    }

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
            prepare: () => first = stage.Service.BeginDetachedDelay(Ticks(1), default),
            body: () => second = stage.Service.BeginDetachedDelay(Ticks(2), default));
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
}
