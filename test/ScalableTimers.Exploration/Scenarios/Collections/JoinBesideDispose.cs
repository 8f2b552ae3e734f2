using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Two threads use a service for the first time while it is disposed. Each one gets an exception, or its timer is
/// dropped and counted.
/// </summary>
internal sealed class JoinBesideDispose : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        int fired = 0, scheduled = 0;
        for (var i = 0; i < 2; i++)
        {
            run.Run($"joins {i}", () =>
            {
                try
                {
                    stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
                    scheduled++;
                }
                catch (ObjectDisposedException)
                {
                }
            });
        }

        run.Run("disposes", stage.Service.Dispose);
        run.Check(() =>
        {
            stage.RequireDisposed();
            stage.Pass(2);
            var seen = stage.RequireInOrder();
            Interleaving.Require(
                fired == 0 && seen.Dropped == scheduled,
                $"{scheduled} callbacks were scheduled, {seen.Dropped} dropped, and {fired} have run.");
        });
    }
}
