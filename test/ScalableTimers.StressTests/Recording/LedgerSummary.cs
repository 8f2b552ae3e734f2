namespace ScalableTimers.StressTests.Recording;

/// <summary>Counts of a <see cref="Ledger"/>, and how late its timers fired.</summary>
internal sealed class LedgerSummary
{
    private readonly string _phase;
    private readonly LatenessHistogram _lateness = new();

    public LedgerSummary(string phase, IEnumerable<Tracked> all)
    {
        _phase = phase;
        foreach (var tracked in all)
        {
            Total++;
            Cancelled += tracked.IsCancelled ? 1 : 0;
            Open += tracked.IsOpen ? 1 : 0;
            Reschedulings += (tracked as TrackedTimer)?.Reschedulings ?? 0;
            if (tracked.HasFired)
            {
                Fired++;
                _lateness.Add(tracked.Lateness);
            }
        }
    }

    internal long Total { get; }

    internal long Fired { get; }

    internal long Cancelled { get; }

    /// <summary>How many neither fired nor were cancelled.</summary>
    internal long Open { get; }

    internal long Reschedulings { get; }

    public override string ToString() =>
        $"{_phase}: {Total:N0} timers, {Fired:N0} fired ({_lateness}), {Cancelled:N0} cancelled, {Reschedulings:N0} "
        + "times rescheduled"
        + (Open > 0 ? $", {Open:N0} dropped" : "");

    /// <summary>Writes it into the test's output.</summary>
    internal LedgerSummary Log()
    {
        Stress.Log(ToString());
        return this;
    }

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
