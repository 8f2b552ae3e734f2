using Orleans.Timers.Scalable;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same while the timers are served, and nobody gives them back.</summary>
internal sealed class TimersServedBesideTheirEnd : ServedTimersEndOnce
{
    protected override void AddThread(Interleaving run, ServedTimers served, ForeignTimer first) =>
        run.Run("serves", () => served.Serve(first));
}
