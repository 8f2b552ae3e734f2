using ScalableTimers;
using TransactionsDemo.Probes;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Load;

/// <summary>The result of one case in one round, or in all rounds.</summary>
internal sealed record RunResult
{
    public required LoadCase Case { get; init; }

    /// <summary>From 1; 0 for all rounds together.</summary>
    public required int Round { get; init; }

    public required TimeSpan Duration { get; init; }

    public required WorkTally Work { get; init; }

    /// <summary>Over time; empty for all rounds together.</summary>
    public required IReadOnlyList<LatencySlot> Latencies { get; init; }

    public required TimerCounts Timers { get; init; }

    /// <summary>
    /// The durations of the transactions' phases. For all rounds together these are the last round's.
    /// </summary>
    public required IReadOnlyList<OperationSummary> Phases { get; init; }

    /// <summary>One for each round in which a silo was killed.</summary>
    public required IReadOnlyList<Recovery> Recoveries { get; init; }

    /// <summary>Times that were asked for under load, besides what the bank itself asks for.</summary>
    public required IReadOnlyList<ProbeSample> Probes { get; init; }

    /// <summary>
    /// Timers of the engine's own transactions when the load was over; null if that could not be had. Of several rounds
    /// the most there were.
    /// </summary>
    public required long? EngineTimersPending { get; init; }

    /// <summary>The longest time in which no transfer ended.</summary>
    public required TimeSpan LongestPause { get; init; }

    public required TimeSpan CpuTime { get; init; }

    public required long AllocatedBytes { get; init; }

    public required long LockContentions { get; init; }

    /// <summary>At the end of the load; of several rounds the most there was.</summary>
    public required MemoryUse Memory { get; init; }

    /// <summary>How long it took to close the bank; of several rounds the longest.</summary>
    public TimeSpan CloseTime { get; init; }

    /// <summary>
    /// The errors, one sentence each. It is empty if every unit of money and every timer is accounted for.
    /// </summary>
    public required IReadOnlyList<string> Errors { get; init; }

    public double TransfersPerSecond => Work.FinishedInTime / Duration.TotalSeconds;

    public double CpuMicrosecondsPerTransfer => CpuTime.TotalMicroseconds / Math.Max(1, Work.Finished);

    public double BytesPerTransfer => (double)AllocatedBytes / Math.Max(1, Work.Finished);

    /// <summary>Puts the rounds of each case together.</summary>
    public static IReadOnlyList<RunResult> SumUp(IEnumerable<RunResult> runs) =>
        [.. runs.GroupBy(static run => run.Case).Select(static rounds => SumUp([.. rounds]))];

    private static RunResult SumUp(RunResult[] rounds)
    {
        var work = new WorkTally();
        foreach (var round in rounds)
        {
            work.Add(round.Work);
        }

        return new RunResult
        {
            Case = rounds[0].Case,
            Round = 0,
            Duration = TimeSpan.FromTicks(rounds.Sum(static round => round.Duration.Ticks)),
            Work = work,
            Latencies = [],
            Timers = rounds.Aggregate(default(TimerCounts), static (sum, round) => sum + round.Timers),
            Phases = rounds[^1].Phases,
            Recoveries = [.. rounds.SelectMany(static round => round.Recoveries)],
            Probes = [.. rounds.SelectMany(static round => round.Probes)],
            EngineTimersPending = rounds.Max(static round => round.EngineTimersPending),
            LongestPause = rounds.Max(static round => round.LongestPause),
            CpuTime = TimeSpan.FromTicks(rounds.Sum(static round => round.CpuTime.Ticks)),
            AllocatedBytes = rounds.Sum(static round => round.AllocatedBytes),
            LockContentions = rounds.Sum(static round => round.LockContentions),
            Memory = rounds.MaxBy(static round => round.Memory.LiveBytes)!.Memory,
            CloseTime = rounds.Max(static round => round.CloseTime),
            Errors = [.. rounds.SelectMany(static round => round.Errors)],
        };
    }
}
