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
            run.Run("gives back", prepare: () => served.Serve(first, 1, 0), body: () => served.GiveBack()));

    /// <summary>The same while the timers are served, and none is given back.</summary>
    [Scenario]
    internal static void TimersServedBesideTheirEnd(Interleaving run) =>
        EndOnce(run, (served, first) => run.Run("serves", () => served.Serve(first, 1, 0)));

    /// <summary>
    /// Two threads set delays for one worker, each in its own list, while the lists are visited. Whatever is dropped,
    /// the delay that was set last goes on. Seen to fail when a delay that was found earlier counted as older.
    /// </summary>
    [Scenario]
    internal static void WorkerDelaysOnTwoThreads(Interleaving run)
    {
        var stage = new Stage(run);
        var source = new CancellationTokenSource();
        var worker = new ForeignWorker(WorkerToken.LinkedTo(source.Token));
        ForeignList[] lists = [new(), new()];
        var manager = ForeignList.Manager(lists);
        var served = new ServedTimers(manager, stage.Service);
        var visits = new ServedTimerLists(manager, served);
        run.Run("sets", () => worker.Delay(lists[0]));
        run.Run("sets too", () => worker.Delay(lists[1]));
        run.Run("serves", () =>
        {
            visits.ServeNew();
            visits.ServeNew();
        });
        run.Check(() =>
        {
            visits.ServeNew();
            var newest = worker.Newest!;
            Require(served.Pending > 0 && newest is { Cancelled: 0, TimedOut: 0 }, "No delay is pending.");
            source.Cancel();
            run.Pool.Drain();
            Require(newest.Cancelled == 1, "The delay that was set last was dropped.");
            Require(served is { Pending: 0, Groups: 0 }, $"{served.Pending} are pending, in {served.Groups} groups.");
            stage.Service.Dispose();
        });
    }

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
