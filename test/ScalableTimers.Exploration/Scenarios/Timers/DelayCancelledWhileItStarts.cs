using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// A token is cancelled while its delay registers, begins and checks the token. The delay ends, whichever of the two
/// sees the other.
/// </summary>
internal class DelayCancelledWhileItStarts : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        ValueTask<bool> delay = default;
        run.Run(
            "owner",
            prepare: () => stage.Service.Schedule(static _ => { }, null, Stage.Ticks(1)),
            body: () =>
            {
                // The delay does not have the nearest deadline, because publishing that would be a fence. It does not
                // end at once, because that would be a fence too.
                delay = Start(stage.Service, source.Token);
                Interleaving.Point("has begun");
            });
        run.Run("cancels", () => Interleaving.Cancel(source));
        run.Check(() =>
        {
            Interleaving.Require(Outcome.Of(delay) == false, "A delay whose token was cancelled is pending.");
            stage.RequireOver(ticks: 20);
        });
    }

    protected virtual ValueTask<bool> Start(TimerService service, CancellationToken token) =>
        service.TryDelay(Stage.Ticks(10), token);
}
