using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Two new threads join while the owner of the only collection ends: at most one of them takes it over, and both
/// schedule.
/// </summary>
internal sealed class TwoHeirsOfAnEndedThread : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        run.Run(
            "former",
            prepare: () =>
            {
                stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1)).Cancel();
                stage.LookForEndedThreads();
            },
            body: () => Interleaving.Point("ends"));
        for (var i = 0; i < 2; i++)
        {
            run.Run($"heir {i}", () =>
            {
                var timer = stage.Service.Schedule(_ => fired += 10, null, Stage.Ticks(2));
                stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
                Interleaving.Require(timer.Cancel(), "A pending timer was not cancelled.");
            }, kind: "heir");
        }

        run.Check(() =>
        {
            Interleaving.Require(
                stage.Collections.Length is 2 or 3, $"There are {stage.Collections.Length} collections.");
            Interleaving.Require(
                stage.RequireInOrder() is { Pending: 2, Cancelled: 3 },
                $"The figures are wrong: {stage.Service.GetSnapshot()}.");
            stage.RequireOver(ticks: 2);
            Interleaving.Require(
                fired == 2, $"The cancelled callbacks have run {fired / 10} times, the others {fired % 10} times.");
        });
    }
}
