namespace ScalableTimers.StressTests.Recording;

/// <summary>Counts of a <see cref="Ledger"/>.</summary>
internal sealed class LedgerSummary
{
    private readonly string _phase;

    public LedgerSummary(string phase, IEnumerable<Tracked> all)
    {
        _phase = phase;
        foreach (var tracked in all)
        {
            Total++;
            Cancelled += tracked.IsCancelled ? 1 : 0;
            Open += tracked.IsOpen ? 1 : 0;
            Fired += tracked.HasFired ? 1 : 0;
            Reschedulings += (tracked as TrackedTimer)?.Reschedulings ?? 0;
        }
    }

    internal long Total { get; }

    internal long Fired { get; }

    internal long Cancelled { get; }

    /// <summary>How many neither fired nor were cancelled.</summary>
    internal long Open { get; }

    internal long Reschedulings { get; }

    /// <summary>Fails unless the service has the same counts. It must have had no other timers.</summary>
    internal void AssertAgrees(TimerServiceSnapshot counted)
    {
        var expected = counted with
        {
            Pending = 0,
            Scheduled = Total + Reschedulings,
            Fired = Fired,
            Cancelled = Cancelled + Reschedulings,
            Dropped = Open,
            Failed = 0,
        };
        if (counted != expected)
        {
            Stress.Fail(_phase, $"expected {expected}, the service counted {counted}");
        }
    }
}
