using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;
using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>
/// The pending timers are listed while a delay ends, is read, and begins its next life with another awaiter. No life is
/// listed with the awaiter of the other.
/// </summary>
internal sealed class PendingReadBesideADelaysNextLife : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        DelayEntry first = null!, second = null!;
        var hasEnded = false;
        run.Run(
            "owner",
            prepare: () =>
            {
                first = Begin(Stage.Ticks(1), source.Token, AwaitsFirst);
                second = Begin(Stage.Ticks(200), default, AwaitsSecond);
            },
            body: () =>
            {
                Interleaving.Cancel(source);
                run.WaitUntil(() => hasEnded, "end of the delay");
                _ = Outcome.Of(first.AsValueTaskOfBool());
                Interleaving.Require(
                    ReferenceEquals(first, Begin(Stage.Ticks(100), default, AwaitsSecond)), "The entry is another.");
            });
        run.Run("reads", () => Require(stage.Service.GetPending(10)));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            var listed = stage.Service.GetPending(10);
            Require(listed);
            Interleaving.Require(
                listed.Count == 2 && listed.All(static timer => timer.Method is not null),
                $"At the end there are {string.Join(", ", listed)}.");
            stage.Pass(300);
            _ = Outcome.Of(first.AsValueTaskOfBool());
            _ = Outcome.Of(second.AsValueTaskOfBool());
            stage.RequireOver(ticks: 1);
        });

        DelayEntry Begin(TimeSpan dueTime, CancellationToken token, Action awaiter)
        {
            var entry = stage.Service.StartDelay(dueTime, DelayOptions.ReportCancellation, token, default);
            entry.OnCompleted(static action => ((Action)action!)(), awaiter, entry.Version, default);
            return entry;
        }

        void AwaitsFirst() => hasEnded = true;
    }

    private static void Require(IReadOnlyList<PendingTimer> listed) => Interleaving.Require(
        listed.All(static timer =>
            timer.Method is null
                || timer.Method.Contains(
                    timer.DueIn <= Stage.Ticks(1) ? "AwaitsFirst" : nameof(AwaitsSecond),
                    StringComparison.Ordinal)),
        $"A delay is listed with another's awaiter: {string.Join(", ", listed)}.");

    private static void AwaitsSecond()
    {
    }
}
