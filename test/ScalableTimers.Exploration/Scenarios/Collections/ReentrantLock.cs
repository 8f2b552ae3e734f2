using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// Two threads enter the lock. One of them enters it again inside, and the other one enters it twice in a row. Never
/// are two threads inside, and none waits for ever.
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

            // Fails if the lock is held after all threads have left it.
            guarded.Lock.Enter();
        });
    }
}
