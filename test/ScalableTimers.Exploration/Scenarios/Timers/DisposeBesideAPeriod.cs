using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// The service is disposed in steps while a timer expires. Its period is so long that it would be linked where the walk
/// has been already. It ends all the same.
/// </summary>
internal class DisposeBesideAPeriod : Scenario
{
    protected virtual bool FiresInOrder => false;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run, FiresInOrder);
        var fired = 0;
        run.Run(
            "owner",
            prepare: () =>
            {
                stage.AddBallast();
                stage.Service.CreateTimer(_ => fired++, null, Stage.Ticks(1), Stage.Ticks(100_000_000));
            },
            body: stage.Service.Dispose);
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.RequireDisposed();
            Interleaving.Require(
                fired <= 1 && stage.Linked == 0,
                $"A timer has fired {fired} times, and {stage.Linked} are linked after disposal.");
        });
    }
}
