namespace ScalableTimers.Exploration.Scenarios.Queues;

/// <summary>Threads enter the lock of a queue.</summary>
internal static class Locking
{
    /// <summary>
    /// Two threads enter the lock, one of them again while inside, the other twice in a row. They are never inside at
    /// once, and neither waits forever.
    /// </summary>
    [Scenario]
    internal static void ReentrantLock(Interleaving run)
    {
        var gate = default(ReentrantInterlockedLock);
        string? user = null;
        var uses = 0;
        run.Run("a", () =>
        {
            gate.Enter();
            gate.Enter();
            gate.Exit();
            Use("a");
            gate.Exit();
        });
        run.Run("b", () =>
        {
            gate.Enter(Environment.CurrentManagedThreadId);
            Use("b");
            gate.Exit(Environment.CurrentManagedThreadId);
            gate.Enter();
            Use("b");
            gate.Exit();
        });
        run.Check(() =>
        {
            Require(uses == 3, $"{uses} uses.");

            // Fails if the lock is held after all threads have left it.
            gate.Enter();
        });

        void Use(string name)
        {
            Require(user is null, $"{name} is inside beside {user}.");
            Require(gate.IsHeldByCurrentThread, $"{name} is inside and does not hold the lock.");
            user = name;
            Point("inside");
            user = null;
            uses++;
        }
    }
}
