using ScalableTimers.Collections;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Two threads enter the lock, once and once more inside, and one tries to: never two at a time, and none is left out for ever.</summary>
internal sealed class ReentrantLock : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var guarded = new Guarded();
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

    private sealed class Guarded
    {
        internal ReentrantInterlockedLock Lock;
        private string? _user;

        internal int Uses { get; private set; }

        internal void Use(string name)
        {
            Interleaving.Require(_user is null, $"{name} is inside beside {_user}.");
            Interleaving.Require(Lock.IsHeldByCurrentThread, $"{name} is inside and does not hold the lock.");
            _user = name;
            Interleaving.Point("inside");
            _user = null;
            Uses++;
        }
    }
}
