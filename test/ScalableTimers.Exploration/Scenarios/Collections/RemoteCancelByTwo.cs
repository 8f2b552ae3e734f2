using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Two threads cancel callbacks of a third, which takes the entries meanwhile, and a snapshot is taken. No entry is
/// lost, taken twice or counted twice.
/// </summary>
internal class RemoteCancelByTwo : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        var timers = new ScheduledTimer[2];
        run.Run(
            "owner",
            prepare: () =>
            {
                for (var i = 0; i < timers.Length; i++)
                {
                    timers[i] = stage.Service.Schedule(_ => fired += 100, null, Stage.Ticks(3));
                }
            },
            body: () =>
            {
                stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
                stage.Service.Schedule(_ => fired++, null, Stage.Ticks(5));
            });
        run.Run(
            "cancels",
            () => Interleaving.Require(timers[0].Cancel(), "A pending timer was not cancelled."),
            kind: "cancels");
        run.Run(
            "cancels too",
            () => Interleaving.Require(timers[1].Cancel(), "A pending timer was not cancelled."),
            kind: "cancels");
        AddThreads(run, stage);
        run.Check(() =>
        {
            Interleaving.Require(
                stage.RequireInOrder() is { Pending: 2, Cancelled: 2 },
                $"The figures are wrong: {stage.Service.GetSnapshot()}.");
            stage.RequireOver(ticks: 5);
            Interleaving.Require(
                fired == 2, $"The cancelled callbacks have run {fired / 100} times, the others {fired % 100} times.");
        });
    }

    protected virtual void AddThreads(Interleaving run, Stage stage)
    {
    }
}
