using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A new thread takes over the collection of an ended thread, or gets its own, while others cancel the ended thread's
/// timers.
/// </summary>
internal sealed class CollectionOfAnEndedThread : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        int fired = 0, next = 0;
        ScheduledTimer first = default, second = default;
        var source = new CancellationTokenSource();
        ValueTask<bool> delay = default;
        run.Run(
            "former",
            prepare: () =>
            {
                first = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(1));
                second = stage.Service.Schedule(_ => fired++, null, Stage.Ticks(2));
                delay = stage.Service.TryDelay(Stage.Ticks(2), source.Token);
                stage.LookForEndedThreads();
            },
            body: () => Interleaving.Require(first.Cancel(), "A pending timer was not cancelled."));
        run.Run("heir", () =>
        {
            stage.Service.Schedule(_ => next++, null, Stage.Ticks(1));
            stage.Service.Schedule(_ => next++, null, Stage.Ticks(3));
        });
        run.Run("cancels", () =>
        {
            Interleaving.Require(second.Cancel(), "A pending timer was not cancelled.");
            Interleaving.Cancel(source);
        });
        run.Check(() =>
        {
            Interleaving.Require(
                stage.Collections.Length is 1 or 2, $"There are {stage.Collections.Length} collections.");
            Interleaving.Require(Outcome.Of(delay) == false, "A delay whose token was cancelled is pending.");
            Interleaving.Require(
                stage.RequireInOrder() is { Pending: 2, Cancelled: 3 },
                $"The figures are wrong: {stage.Service.GetSnapshot()}.");
            stage.RequireOver(ticks: 3);
            Interleaving.Require(
                fired == 0 && next == 2, $"The cancelled callbacks have run {fired} times, the others {next} times.");
        });
    }
}
