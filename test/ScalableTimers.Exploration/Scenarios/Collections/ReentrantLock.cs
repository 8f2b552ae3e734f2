using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Two threads enter the lock, one of them once more inside, the other one twice in a row: never two at a time, and
/// none is left out for ever.
/// </summary>
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
            guarded.Lock.Enter();
            guarded.Use("b");
            guarded.Lock.Exit();
        });
        run.Check(() =>
        {
            Interleaving.Require(guarded.Uses == 3, $"{guarded.Uses} uses.");

            // Fails if it is held after all have left it.
            guarded.Lock.Enter();
        });
    }
}
