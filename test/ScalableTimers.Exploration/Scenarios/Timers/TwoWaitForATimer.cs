using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// Two threads dispose a timer asynchronously while two pool threads run its overlapping callbacks: both waits end, and
/// not before the callbacks.
/// </summary>
internal sealed class TwoWaitForATimer : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var running = 0;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () =>
            {
                timer = stage.Service.CreateTimer(
                    _ =>
                    {
                        running++;
                        Interleaving.Point("in the callback");
                        running--;
                    },
                    null,
                    Stage.Ticks(1),
                    Stage.Ticks(1));
                stage.Clock.Advance(Stage.Ticks(1));
            },
            body: Wait);
        run.Run("waits too", Wait);
        run.PoolThreads(1);
        run.Check(() =>
        {
            run.Pool.Drain();
            stage.RequireOver(ticks: 2);
        });

        void Wait()
        {
            var ended = timer!.DisposeAsync();
            run.WaitUntil(() => ended.IsCompleted, "end of the callbacks");
            Interleaving.Require(running == 0, "A callback runs after the timer was disposed and waited for.");
        }
    }
}
