using ScalableTimers.Collections;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Three threads enter the lock, and one of them enters it again inside. Only one is inside at a time, and none waits
/// for ever.
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

            // Fails if the lock is held after all threads have left it.
            guarded.Lock.Enter();
        });
    }
}
