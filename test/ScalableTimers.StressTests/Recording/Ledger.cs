using System.Collections.Concurrent;

namespace ScalableTimers.StressTests.Recording;

/// <summary>All timers and delays of one service in one phase of a test.</summary>
internal sealed class Ledger(string phase)
{
    private readonly ConcurrentQueue<Tracked> _all = new();
    private long _ended;

    /// <summary>How many have ended; a second end counts again.</summary>
    internal long Ended => Volatile.Read(ref _ended);

    /// <summary>How many were requested.</summary>
    internal int Count => _all.Count;

    internal IEnumerable<Tracked> All => _all;

    /// <summary>How many neither fired nor were cancelled.</summary>
    internal long Open => _all.Count(static tracked => tracked.IsOpen);

    internal T Add<T>(T tracked)
        where T : Tracked
    {
        _all.Enqueue(tracked);
        return tracked;
    }

    internal void CountEnd() => Interlocked.Increment(ref _ended);

    /// <summary>Waits until everything has ended, or fails and lists what has not.</summary>
    internal void WaitForAll()
    {
        var expected = Count;
        Stress.WaitUntil(
            phase,
            () => Ended >= expected,
            () => $"expected {expected} ends, got {Ended}. {Describe(mayBeOpen: false)}");
    }

    /// <summary>Fails unless each ended as promised. Call it once the service is disposed and nothing runs.</summary>
    /// <param name="mayBeOpen">Whether some may have been dropped.</param>
    internal void Verify(bool mayBeOpen = false)
    {
        var offenders = Describe(mayBeOpen);
        if (offenders.Length > 0)
        {
            Stress.Fail(phase, offenders);
        }
    }

    private string Describe(bool mayBeOpen) => Offenders.Describe(_all.Select(tracked => tracked.Fault(mayBeOpen)));
}
