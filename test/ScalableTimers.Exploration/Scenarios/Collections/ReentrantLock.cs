using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>Two threads enter the lock, once and once more inside, and one tries to: never two at a time, and none is left out for ever.</summary>
internal sealed class ReentrantLock : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var guarded = new GuardedCounter();
        run.Run("a", () =>
        {
            guarded.Lock.Enter();
            guarded.Lock.Enter();
            guarded.Lock.Exit();
            guarded.Use("a");
            guarded.Lock.Exit();
        });
        run.Run("b", () =>
        {
            guarded.Lock.Enter(Environment.CurrentManagedThreadId);
            guarded.Use("b");
            guarded.Lock.Exit(Environment.CurrentManagedThreadId);
            if (guarded.Lock.TryEnter())
            {
                guarded.Use("b");
                guarded.Lock.Exit();
            }
        });
        run.Check(() =>
        {
            Interleaving.Require(guarded.Uses is 2 or 3, $"{guarded.Uses} uses.");
            Interleaving.Require(guarded.Lock.TryEnter(), "The lock is held after all have left it.");
        });
    }
}
