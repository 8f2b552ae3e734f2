namespace TransactionsDemo.Load;

/// <summary>How a bank recovered after the death of a silo.</summary>
internal sealed record Recovery
{
    /// <summary>The definition of recovered, for the reader.</summary>
    public const string Definition =
        "Recovered: from the kill to the end of the last second with fewer than half as many commits as an average "
        + "second before the kill.";

    private const int SlotsPerSecond = 10;

    /// <summary>
    /// The time of load that must follow the last stall. Otherwise it is unknown whether it was the last.
    /// </summary>
    private const int SlotsToBeSure = 3 * SlotsPerSecond;

    /// <summary>After the start of the load.</summary>
    public required TimeSpan KilledAt { get; init; }

    /// <summary>Since the kill; null if the rest of the cluster did not notice before the load was over.</summary>
    public required TimeSpan? DeclaredDeadAfter { get; init; }

    /// <summary>Since the kill; null if the load was over first.</summary>
    public required TimeSpan? RecoveredAfter { get; init; }

    public required double CommitsPerSecondBefore { get; init; }

    /// <summary>From the recovery to the end of the load.</summary>
    public required double CommitsPerSecondAfter { get; init; }

    /// <summary>Of each second of the load.</summary>
    public required IReadOnlyList<int> CommitsBySecond { get; init; }

    /// <summary>Transfers that ended after the kill without having been committed.</summary>
    public required long FailedAfterKill { get; init; }

    public static Recovery Of(Timeline timeline, TimeSpan killedAt, TimeSpan? declaredDeadAfter)
    {
        var committed = timeline.CommittedBySlot;
        var kill = Math.Max(1, Math.Min((int)(killedAt / Timeline.Slot), committed.Count));
        var before = committed.Take(kill).Average() * SlotsPerSecond;
        var lastPoor = Enumerable.Range(kill, Math.Max(0, committed.Count - kill - SlotsPerSecond + 1))
            .LastOrDefault(slot => CommitsIn(slot) * 2 < before, kill - SlotsPerSecond);
        int? recovery = lastPoor + SlotsPerSecond + SlotsToBeSure <= committed.Count ? lastPoor + SlotsPerSecond : null;
        return new Recovery
        {
            KilledAt = killedAt,
            DeclaredDeadAfter = declaredDeadAfter,
            RecoveredAfter = recovery is { } slot ? Max(TimeSpan.Zero, (slot * Timeline.Slot) - killedAt) : null,
            CommitsPerSecondBefore = before,
            CommitsPerSecondAfter = recovery is { } first ? committed.Skip(first).Average() * SlotsPerSecond : 0,
            CommitsBySecond = [.. committed.Chunk(SlotsPerSecond).Select(static second => second.Sum())],
            FailedAfterKill = timeline.FailedBySlot.Skip(kill).Sum(),
        };

        int CommitsIn(int firstSlot) => committed.Skip(firstSlot).Take(SlotsPerSecond).Sum();
    }

    private static TimeSpan Max(TimeSpan left, TimeSpan right) => left > right ? left : right;
}
