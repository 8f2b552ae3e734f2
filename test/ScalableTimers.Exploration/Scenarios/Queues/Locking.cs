using ScalableTimers.Exploration.Engine;
using static ScalableTimers.Exploration.Engine.Interleaving;

namespace ScalableTimers.Exploration.Scenarios.Queues;

/// <summary>Threads enter the lock of a queue.</summary>
internal static class Locking
{
    /// <summary>
    /// Two threads enter the lock. One of them enters it again inside, and the other one enters it twice in a row.
    /// Never are two threads inside, and none waits for ever.
    /// </summary>
    [Scenario]
    internal static void ReentrantLock(Interleaving run)
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
            Require(guarded.Uses == 3, $"{guarded.Uses} uses.");

            // Fails if the lock is held after all threads have left it.
            guarded.Lock.Enter();
        });
    }

    /// <summary>A lock, and a counter that one thread at a time may use.</summary>
    private sealed class GuardedCounter
    {
        internal ReentrantInterlockedLock Lock;
        private string? _user;

        internal int Uses { get; private set; }

        internal void Use(string name)
        {
            Require(_user is null, $"{name} is inside beside {_user}.");
            Require(Lock.IsHeldByCurrentThread, $"{name} is inside and does not hold the lock.");
            _user = name;
            Point("inside");
            _user = null;
            Uses++;
        }
    }
}
