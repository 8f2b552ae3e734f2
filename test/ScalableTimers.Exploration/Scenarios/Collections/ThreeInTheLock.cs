using ScalableTimers.Collections;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Three threads enter the lock, one of them once more inside: one at a time, and none is left out for ever.
/// </summary>
internal sealed class ThreeInTheLock : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var guarded = new GuardedCounter();
        foreach (var name in (string[])["a", "b", "c"])
        {
            run.Run(name, () =>
            {
                guarded.Lock.Enter();
                guarded.Use(name);
                if (name == "a")
                {
                    guarded.Lock.Enter();
                    guarded.Use(name);
                    guarded.Lock.Exit();
                }

                guarded.Lock.Exit();
            });
        }

        run.Check(() =>
        {
            Interleaving.Require(guarded.Uses == 4, $"{guarded.Uses} uses.");

            // Fails if it is held after all have left it.
            guarded.Lock.Enter();
        });
    }
}
