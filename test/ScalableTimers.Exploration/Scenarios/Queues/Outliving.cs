using ScalableTimers.Exploration.Scenarios.Timers;

namespace ScalableTimers.Exploration.Scenarios.Queues;

/// <summary>A disposed service goes on with what outlives it, which ends once and on time.</summary>
internal static class Outliving
{
    /// <summary>
    /// A timer that outlives its service is changed while the service is disposed and the clock advances. It fires once
    /// and on time.
    /// </summary>
    [Scenario]
    internal static void OutlivingTimerChangedBesideDispose(Interleaving run)
    {
        var stage = new Stage(run);
        var firedAt = new List<long>();
        ITimer? timer = null;
        long changedAt = 0;
        run.Run(
            "owner",
            prepare: () => timer = stage.CreateOutlivingTimer(2, () => firedAt.Add(stage.Clock.Now)),
            body: () =>
            {
                changedAt = stage.Clock.Now;
                Require(timer!.Change(Ticks(3), Timeout.InfiniteTimeSpan), "A timer was not changed.");
            });
        run.Run("disposes", stage.Service.Dispose);
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            Require(firedAt.Count == 0, "A timer has fired early.");
            stage.Pass(2);
            Require(
                firedAt.Count == 0 || firedAt[0] >= changedAt + Ticks(3).Ticks, "A timer has fired early.");
            stage.Pass(2);
            Require(firedAt.Count == 1, $"A timer has fired {firedAt.Count} times.");
            stage.RequireEnded();
        });
    }

    /// <summary>
    /// A periodic timer that outlives its service fires while the service is disposed. It continues, and no moment
    /// fires twice.
    /// </summary>
    [Scenario]
    internal static void PeriodicOutlivingTimerBesideDispose(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () => timer = stage.CreateOutlivingTimer(1, () => fired++, period: 1),
            body: stage.Service.Dispose);
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.Pass(2);
            Require(fired is >= 1 and <= 3, $"A timer has fired {fired} times in three periods.");
            for (var i = 0; i < 2; i++)
            {
                var before = fired;
                stage.Pass(1);
                Require(fired == before + 1, $"A timer has fired {fired - before} times in one period.");
            }

            timer!.Dispose();
            stage.RequireEnded();
        });
    }

    /// <summary>
    /// Two threads change a due timer whose service has been disposed: it fires for the last change.
    /// </summary>
    [Scenario]
    internal static void OutlivingTimerChangedBesideItsRing(Interleaving run) =>
        Repeating.ChangeBesideFiring(run, outlives: true);

    /// <summary>
    /// A token is pending and two threads request another one, while the service is disposed and the clock rings for
    /// the first. Each ends once, on time.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void TokensBesideDispose(Interleaving run)
    {
        var stage = new Stage(run, bucket: 1);
        CancellationToken token = default, next = default, same = default;
        var ended = 0;
        run.Run(
            "owner",
            prepare: () =>
            {
                token = stage.Service.GetTimeoutToken(Ticks(1));
                token.Register(() => ended++);
            },
            body: () => next = stage.Service.GetTimeoutToken(Ticks(3)));
        run.Run("disposes", () =>
        {
            stage.Service.Dispose();
            same = stage.Service.GetTimeoutToken(Ticks(3));
        });
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.Pass(1);
            Require(ended == 1 && token.IsCancellationRequested, $"{ended} of one timeout have passed.");
            Require(
                !next.IsCancellationRequested && !same.IsCancellationRequested,
                "A timeout of 30 ms has passed after 20 ms.");
            stage.Pass(3);
            Require(
                next.IsCancellationRequested && same.IsCancellationRequested,
                "A timeout of 30 ms is pending after 50 ms.");
            Require(stage.Figures.TimeoutTokens == 0, "Sources are left.");
            stage.RequireEnded();
        });
    }

    // Nothing is pending in a disposed service, and the clock is not set.
    private static void RequireEnded(this Stage stage)
    {
        stage.RequireDisposed();
        Require(stage.Clock.ArmedTimers == 0, $"{stage.Clock.ArmedTimers} timers of the clock are set for nothing.");
    }
}
