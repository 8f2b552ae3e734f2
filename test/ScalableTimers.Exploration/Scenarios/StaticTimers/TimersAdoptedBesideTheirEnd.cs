using Orleans.Timers.Scalable;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same while the timers are adopted, and nobody gives them back.</summary>
internal sealed class TimersAdoptedBesideTheirEnd : AdoptedTimersEndOnce
{
    protected override void AddThread(Interleaving run, AdoptedTimers adopted, ForeignTimer first) =>
        run.Run("adopts", () => adopted.Adopt(first));
}
