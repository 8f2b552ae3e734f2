using Orleans.Timers.Scalable;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Served timers of one token expire, are cancelled and are given back, all at once. Each ends once, and none is kept.
/// </summary>
internal class ServedTimersEndOnce : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = FiringMode.ThreadPool, Resolution = TimeSpan.FromMilliseconds(10) },
            clock);
        var served = new ServedTimers(ForeignTimer.Manager, service);
        var source = new CancellationTokenSource();
        var later = new ForeignTimer(DateTime.MaxValue.AddYears(-5000), source.Token);
        var first = new ForeignTimer(DateTime.MinValue, source.Token) { Next = later };
        AddThread(run, served, first);
        run.Run("cancels", () => Interleaving.Cancel(source));
        run.Run("driver", () =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
        });
        run.Check(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(10));
            run.Pool.Drain();
            first.RequireOneEnd("first");
            later.RequireOneEnd("later");
            Interleaving.Require(later.TimedOut == 0, "A timer of thousands of years has timed out.");
            Interleaving.Require(
                served is { Pending: 0, Groups: 0 },
                $"{served.Pending} are pending, in {served.Groups} groups.");
            Interleaving.Require(service.GetSnapshot().Pending == 0, "Timers are pending after all have ended.");
            service.Dispose();
        });
    }

    protected virtual void AddThread(Interleaving run, ServedTimers served, ForeignTimer first) =>
        run.Run("gives back", prepare: () => served.Serve(first), body: () => served.GiveBack());
}
