using Orleans.Timers.Scalable.Transactions.Waits;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>A timer of a static timer manager. It counts its ends.</summary>
internal sealed class ForeignTimer(DateTime dueTime, CancellationToken token)
{
    internal ForeignTimer? Next { get; set; }

    /// <summary>Whether its wait has ended with true.</summary>
    internal int TimedOut { get; private set; }

    /// <summary>Whether its wait has ended with false.</summary>
    internal int Cancelled { get; private set; }

    /// <summary>Whether it waits with the manager again.</summary>
    internal int Registered { get; private set; }

    /// <summary>A manager of such timers, with only the accessors to a single timer.</summary>
    internal static StaticTimerManager Manager { get; } = new()
    {
        Period = TimeSpan.FromSeconds(1),
        Checker = static () => throw new NotSupportedException(),
        Queues = static () => [],
        HasTimers = static _ => false,
        TryLock = static _ => false,
        Unlock = static _ => { },
        Detach = static _ => null,
        TakeNext = static timer => ((ForeignTimer)timer).TakeNext(),
        DueTime = static timer => ((ForeignTimer)timer).DueTime,
        Token = static timer => ((ForeignTimer)timer).Token,
        OnTimeout = static timer => ((ForeignTimer)timer).TimedOut++,
        OnCanceled = static timer => ((ForeignTimer)timer).Cancelled++,
        Register = static timer => ((ForeignTimer)timer).Registered++,
    };

    private CancellationToken Token { get; } = token;

    private DateTime DueTime { get; } = dueTime;

    /// <summary>Checks that each wait ends once or is given back.</summary>
    internal void RequireOneEnd(string name) =>
        Require(
            TimedOut + Cancelled + Registered == 1,
            $"The {name} timer has timed out {TimedOut} times, was cancelled {Cancelled} times and given back "
            + $"{Registered} times.");

    private ForeignTimer? TakeNext()
    {
        var next = Next;
        Next = null;
        return next;
    }
}
