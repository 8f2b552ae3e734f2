using Orleans.Timers.Scalable.Transactions.Waits;

namespace ScalableTimers.Exploration.Scenarios.StaticTimers;

/// <summary>Timers of a static manager are served.</summary>
internal static class Serving
{
    /// <summary>
    /// Served timers of one token expire, are cancelled and are given back, all at once. Each ends once, and none is
    /// left behind.
    /// </summary>
    [Scenario]
    internal static void ServedTimersEndOnce(Interleaving run) =>
        EndOnce(run, (served, first) =>
            run.Run("gives back", prepare: () => served.Serve(first), body: () => served.GiveBack()));

    /// <summary>The same while the timers are served, and none is given back.</summary>
    [Scenario]
    internal static void TimersServedBesideTheirEnd(Interleaving run) =>
        EndOnce(run, (served, first) => run.Run("serves", () => served.Serve(first)));

    private static void EndOnce(Interleaving run, Action<ServedTimers, ForeignTimer> addThread)
    {
        var stage = new Stage(run);
        var served = new ServedTimers(ForeignTimer.Manager, stage.Service);
        var source = new CancellationTokenSource();
        var later = new ForeignTimer(DateTime.MaxValue.AddYears(-5000), source.Token);
        var first = new ForeignTimer(DateTime.MinValue, source.Token) { Next = later };
        addThread(served, first);
        run.Run("cancels", () => Cancel(source));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.Pass(1);
            first.RequireOneEnd("first");
            later.RequireOneEnd("later");
            Require(later.TimedOut == 0, "A timer of thousands of years has timed out.");
            Require(served is { Pending: 0, Groups: 0 }, $"{served.Pending} are pending, in {served.Groups} groups.");
            Require(stage.Figures.Pending == 0, "Timers are pending after all have ended.");
            stage.Service.Dispose();
        });
    }
}
