using Microsoft.Extensions.Logging.Abstractions;

namespace ScalableTimers.Exploration.Scenarios.Queues;

/// <summary>The figures and the pending timers are read.</summary>
internal static class Reading
{
    /// <summary>
    /// A thread takes a snapshot while a second cancels its callback and a third cancels its delay. A snapshot
    /// afterwards contains both cancellations.
    /// </summary>
    [Scenario]
    internal static void CountsAfterOwnCancels(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        ScheduledTimer timer = default;
        run.Run("owner of the callback", prepare: () => timer = stage.Schedule(1), body: () => timer.Cancel());
        run.Run("owner of the delay", prepare: () => stage.Delay(1, source.Token), body: () => source.Cancel());
        run.Run("counts", () =>
        {
            var before = stage.Figures;
            Require(before is { Pending: >= 0 and <= 2, Scheduled: 2 }, $"The figures are {before}.");
            run.WaitUntil(
                () => run.HasEnded("owner of the callback") && run.HasEnded("owner of the delay"), "end of the owners");
            var after = stage.Figures;
            Require(after is { Pending: 0, Cancelled: 2 }, $"The figures are {after}.");
        });
        run.Check(() => stage.RequireOver(ticks: 1));
    }

    /// <summary>The pending timers are listed while the service is disposed.</summary>
    [Scenario]
    internal static void PendingReadBesideDispose(Interleaving run)
    {
        var stage = new Stage(run);
        run.Run(
            "reads",
            prepare: () =>
            {
                stage.Schedule(1);
                stage.Schedule(2);
            },
            body: () => Require(stage.Service.GetPending(3).Count <= 2, "More timers are listed than there are."));
        run.Run("disposes", stage.Service.Dispose);
        run.Check(stage.RequireDisposed);
    }

    /// <summary>
    /// A thread reads a service's figures before and after everything is late and a callback fails: they show it.
    /// </summary>
    [Scenario]
    internal static void FiguresReadAgain(Interleaving run)
    {
        var stage = new Stage(run, logger: NullLogger.Instance);
        var before = new TimerServiceSnapshot();
        var hasRead = false;
        run.Run("driver", () =>
        {
            run.WaitUntil(() => hasRead, "the first figures");

            // The pool runs the driver, four ticks late.
            stage.Schedule(1);
            stage.PassTo(5);
            run.Pool.Drain();

            // It runs the callback two seconds after the driver has queued it.
            stage.Service.Schedule(
                static _ => throw new InvalidOperationException("Thrown by the scenario."), null, Ticks(1));
            stage.Advance(1);
            stage.Clock.PassTo(TimeSpan.FromSeconds(2.1).Ticks);
            run.Pool.Drain();
        });
        run.Run("reads", () =>
        {
            before = stage.Figures;
            hasRead = true;
            run.WaitUntil(() => run.HasEnded("driver"), "the driver");
            var after = stage.Figures;
            Require(
                after is { Fired: 2, Failed: 1, Late: 1 } && after.DriverWakeUps > before.DriverWakeUps,
                $"Of two callbacks one has waited for two seconds, and has failed: {after}.");
        });
    }
}
