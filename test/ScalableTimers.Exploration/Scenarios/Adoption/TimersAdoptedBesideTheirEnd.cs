using Orleans.Timers.Scalable;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Timers of one token are adopted, one that is due and one that is not, while the token is cancelled: each ends once, and nothing of them is kept.</summary>
internal sealed class TimersAdoptedBesideTheirEnd : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(new ScalableTimerOptions { FireOnThreadPool = true, Resolution = TimeSpan.FromMilliseconds(10) }, clock);
        var adopted = new AdoptedTimers(ForeignTimer.Manager, service);
        var source = new CancellationTokenSource();
        var later = new ForeignTimer(DateTime.MaxValue.AddYears(-5000), source.Token);
        var first = new ForeignTimer(DateTime.MinValue, source.Token) { Next = later };
        run.Run("adopts", () => adopted.Adopt(first));
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
            Interleaving.Require(later.Cancelled == 1, "A timer whose token is cancelled was not.");
            Interleaving.Require(adopted is { Pending: 0, Groups: 0 }, $"{adopted.Pending} are pending, in {adopted.Groups} groups.");
            Interleaving.Require(service.GetSnapshot().Pending == 0, "Timers are pending after all have ended.");
            service.Dispose();
        });
    }
}
