using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A timer is disposed and awaited while its callback runs and its thread sets another one nearer: the end is waited
/// for, and the other one fires.
/// </summary>
internal sealed class TimerAwaitedBesideAnotherOne : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        int ended = 0, fired = 0;
        bool isRunning = false, isAwaited = false;
        ITimer? timer = null, other = null;
        run.Run(
            "owner",
            prepare: () =>
            {
                other = stage.Service.CreateTimer(_ => fired++, null, Stage.Ticks(100), Timeout.InfiniteTimeSpan);
                timer = stage.Service.CreateTimer(
                    _ =>
                    {
                        isRunning = true;
                        run.WaitUntil(() => isAwaited, "the call that awaits it");
                        ended++;
                    },
                    null,
                    Stage.Ticks(1),
                    Timeout.InfiniteTimeSpan);
            },
            body: () =>
            {
                run.WaitUntil(() => isRunning, "callback");
                other!.Change(Stage.Ticks(1), Timeout.InfiniteTimeSpan);
            });
        run.Run("disposes", () =>
        {
            run.WaitUntil(() => isRunning, "callback");
            var end = timer!.DisposeAsync().AsTask();
            isAwaited = true;
            run.WaitUntil(() => end.IsCompleted, "end of the timer");
            Interleaving.Require(ended == 1, "The callback runs after its timer's end was waited for.");
        });
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.Pass(1);
            Interleaving.Require(fired == 1, $"The other timer has fired {fired} times.");
            stage.RequireOver(ticks: 1);
        });
    }
}
