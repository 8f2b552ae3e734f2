using ScalableTimers.Collections;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>A lock, and a counter that one thread at a time may use.</summary>
internal sealed class GuardedCounter
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
