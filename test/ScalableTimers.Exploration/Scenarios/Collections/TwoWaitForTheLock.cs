using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// One thread leaves the lock that two others want. One of them finds it free after it has waited, and the other one at
/// once or later.
/// </summary>
internal sealed class TwoWaitForTheLock : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var guarded = new GuardedCounter();
        run.Run("holds", prepare: () => guarded.Lock.Enter(), body: () => guarded.Lock.Exit());
        foreach (var name in (string[])["a", "b"])
        {
            run.Run(name, () =>
            {
                guarded.Lock.Enter();
                guarded.Use(name);
                guarded.Lock.Exit();
            }, kind: "enters");
        }

        run.Check(() => Interleaving.Require(guarded.Uses == 2, $"{guarded.Uses} uses."));
    }
}
