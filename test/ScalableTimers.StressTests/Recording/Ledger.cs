using System.Collections.Concurrent;

namespace ScalableTimers.StressTests.Recording;

/// <summary>All timers and delays of one service in one phase of a test.</summary>
internal sealed class Ledger(string phase)
{
    private readonly ConcurrentQueue<List<Tracked>> _parts = new();
    private long _ended;

    /// <summary>How many have ended. A second end of one counts too.</summary>
    internal long Ended => Volatile.Read(ref _ended);

    /// <summary>How many were requested. Must not be read while threads add.</summary>
    internal long Count => _parts.Sum(static part => (long)part.Count);

    internal IEnumerable<Tracked> All => _parts.SelectMany(static part => part);

    /// <summary>A list for one thread to add to.</summary>
    internal List<Tracked> NewPart()
    {
        var part = new List<Tracked>();
        _parts.Enqueue(part);
        return part;
    }

    /// <summary>Adds one, for code that starts few. Any thread may call it.</summary>
    internal T Add<T>(T tracked)
        where T : Tracked
    {
        _parts.Enqueue([tracked]);
        return tracked;
    }

    internal void CountEnd() => Interlocked.Increment(ref _ended);

    /// <summary>Waits until everything has ended. Otherwise fails and lists what has not.</summary>
    internal void WaitForAll()
    {
        var expected = Count;
        Stress.WaitUntil(
            phase,
            () => Ended >= expected,
            () => $"expected {expected} ends, got {Ended}. {Describe(mayBeOpen: false)}");
    }

    /// <summary>
    /// Fails unless each ended as promised. Call it when the service has been disposed and nothing runs any more.
    /// </summary>
    /// <param name="mayBeOpen">Whether some may have been dropped.</param>
    internal LedgerSummary Verify(bool mayBeOpen = false)
    {
        var offenders = Describe(mayBeOpen);
        if (offenders.Length > 0)
        {
            Stress.Fail(phase, $"{offenders}{Environment.NewLine}{Summarize()}");
        }

        return Summarize();
    }

    private LedgerSummary Summarize() => new(phase, All);

    private string Describe(bool mayBeOpen) =>
        Offenders.Describe(All.Select(tracked => tracked.Fault(mayBeOpen)));
}
