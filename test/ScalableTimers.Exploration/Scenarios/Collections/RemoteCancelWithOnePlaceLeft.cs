using ScalableTimers.Collections;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Two threads cancel callbacks of a third, and the queue has one place left. The thread that finds no place empties
/// the queue, while the owner takes entries from it.
/// </summary>
internal sealed class RemoteCancelWithOnePlaceLeft : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var other = new Stage(run);
        var fired = 0;
        ScheduledTimer first = default, second = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                Prepare(stage.Service, other.Service);
                first = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
                second = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
            },
            body: () => stage.Service.Schedule(_ => fired += 10, null, Stage.Ticks(2)));
        run.Run(
            "cancels",
            () => Interleaving.Require(first.Cancel(), "A pending timer was not cancelled."),
            kind: "cancels");
        run.Run(
            "cancels too",
            () => Interleaving.Require(second.Cancel(), "A pending timer was not cancelled."),
            kind: "cancels");
        run.Check(() =>
        {
            Interleaving.Require(
                stage.RequireInOrder() is { Pending: Places + 1, Cancelled: Places + 2 },
                $"The figures are wrong: {stage.Service.GetSnapshot()}.");
            Interleaving.Require(stage.Linked == Places + 1, $"{stage.Linked} entries are linked.");
            stage.Pass(ticks: 3);
            Interleaving.Require(fired == 10, $"The callbacks have run {fired / 10} and {fired % 10} times.");
            stage.RequireDisposed();
        });
    }

    private const int Places = RemoteCancelQueue.Capacity - 1;

    // The owner cancels as another thread does, because it has just used another service. Then it takes all entries
    // again. The places stay claimed until a thread finds that all have been taken.
    private static void Prepare(TimerService service, TimerService other)
    {
        var timers = new ScheduledTimer[Places];
        for (var i = 0; i < Places; i++)
        {
            timers[i] = service.Schedule(static _ => { }, null, Stage.Ticks(1_000));
        }

        other.Schedule(static _ => { }, null, Stage.Ticks(1_000));
        foreach (var timer in timers)
        {
            timer.Cancel();
        }

        for (var i = 0; i < Places; i++)
        {
            service.Schedule(static _ => { }, null, Stage.Ticks(1_000));
        }
    }
}
