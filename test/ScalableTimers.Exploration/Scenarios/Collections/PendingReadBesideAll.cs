using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// The pending timers are listed while the owner cancels and schedules again, another thread cancels, and the driver
/// empties their slots. What is listed are whole timers, and those that nobody touches are among them.
/// </summary>
internal sealed class PendingReadBesideAll : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        ScheduledTimer first = default, second = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                stage.Service.Schedule(Stays, null, Stage.Ticks(1_000));
                first = stage.Service.Schedule(First, null, Stage.Ticks(70));
                second = stage.Service.Schedule(First, null, Stage.Ticks(70));
                stage.PassFirstTick();
            },
            body: () =>
            {
                // The entry is used again.
                first.Cancel();
                stage.Service.Schedule(Second, null, Stage.Ticks(200));
            });
        run.Run("cancels", () => second.Cancel());
        run.Run("driver", () => stage.Pass(63));
        run.Run("reads", () =>
        {
            var listed = stage.Service.GetPending(10);
            Interleaving.Require(
                listed.Count(static timer => Is(timer, nameof(Stays))) == 1,
                $"A timer that nobody touches is not listed once: {string.Join(", ", listed)}.");
            Interleaving.Require(
                listed.All(
                    static timer => Is(timer, nameof(Stays))
                        || (Is(timer, nameof(First)) && timer.DueIn <= Stage.Ticks(69))
                        || (Is(timer, nameof(Second)) && timer.DueIn > Stage.Ticks(100))),
                $"Something is listed that there never was: {string.Join(", ", listed)}.");
        });
        run.Check(() =>
        {
            Interleaving.Require(
                stage.Service.GetPending(1).Count == 1 && stage.Service.GetPending(10).Count == 2,
                "At the end two timers are pending.");
            stage.RequireOver(ticks: 1_000);
        });
    }

    private static bool Is(PendingTimer timer, string method) =>
        timer.Method!.EndsWith("." + method, StringComparison.Ordinal);

    private static void Stays(object? state)
    {
    }

    private static void First(object? state)
    {
    }

    private static void Second(object? state)
    {
    }
}
