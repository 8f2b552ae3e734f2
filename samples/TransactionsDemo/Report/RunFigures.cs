using ScalableTimers;
using TransactionsDemo.Bank;
using TransactionsDemo.Load;
using TransactionsDemo.Probes;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Report;

/// <summary>What a run has come to, in the form in which it is written to files and read by other processes.</summary>
internal sealed record RunFigures
{
    public required string Engine { get; init; }

    /// <summary>What it ran on.</summary>
    public required string Description { get; init; }

    public required TimerKind Timers { get; init; }

    /// <summary>From 1; 0 for all rounds together.</summary>
    public required int Round { get; init; }

    public required int Accounts { get; init; }

    /// <summary>Transfers at a time.</summary>
    public required int Concurrency { get; init; }

    /// <summary>0 for an engine without any.</summary>
    public required int Silos { get; init; }

    public required int Seed { get; init; }

    public required TransactionOptionsKind TransactionOptions { get; init; }

    public required StorageKind Storage { get; init; }

    public required double? ProbeTimeoutMilliseconds { get; init; }

    public required bool? ServesStaticTimers { get; init; }

    public required double TransfersPerSecond { get; init; }

    public required long Started { get; init; }

    public required long Finished { get; init; }

    public required IReadOnlyDictionary<TransferOutcome, long> Outcomes { get; init; }

    public required long Retries { get; init; }

    public required long InDoubt { get; init; }

    public required LatencyFigures LatencyMilliseconds { get; init; }

    /// <summary>The distribution of latencies.</summary>
    public required IReadOnlyList<LatencyShare> LatencyShares { get; init; }

    /// <summary>Over time; empty for all rounds together.</summary>
    public required IReadOnlyList<LatencySlot> OverTime { get; init; }

    public required long Stalls { get; init; }

    public required double LongestPauseMilliseconds { get; init; }

    public required long TimersScheduled { get; init; }

    public required long TimersCancelled { get; init; }

    public required long TimersFired { get; init; }

    public required long TimersFiredEarly { get; init; }

    public required double WorstEarlyMilliseconds { get; init; }

    public required IReadOnlyList<RecoveryFigures> Recoveries { get; init; }

    public required long? EngineTimersPending { get; init; }

    public required long EngineTimerProbes { get; init; }

    public required long EngineTimerProbesEarly { get; init; }

    public required IReadOnlyList<ProbeSample> Probes { get; init; }

    public required IReadOnlyList<OperationSummary> Phases { get; init; }

    public required double CpuMicrosecondsPerTransfer { get; init; }

    public required double BytesPerTransfer { get; init; }

    /// <summary>How often a thread slept until a lock of .NET was free.</summary>
    public required long LockWaits { get; init; }

    public required long PeakWorkingSetBytes { get; init; }

    public required long LiveBytes { get; init; }

    public required double CloseMilliseconds { get; init; }

    public required IReadOnlyList<string> Errors { get; init; }

    public IEnumerable<ProbeSample> ProbesOf(ProbeKind kind) => Probes.Where(probe => probe.Kind == kind);

    public static RunFigures Of(RunResult result) => new()
    {
        Engine = result.Case.Engine.Name,
        Description = result.Case.Engine.Describe(result.Case.Bank),
        Timers = result.Case.Timers,
        Round = result.Round,
        Accounts = result.Case.Bank.Accounts,
        Concurrency = result.Case.Bank.Tellers,
        Silos = result.Case.Engine.HasSilos ? result.Case.Bank.Silos : 0,
        Seed = result.Case.Bank.Seed,
        TransactionOptions = result.Case.Bank.TransactionOptions,
        Storage = result.Case.Bank.Storage,
        ProbeTimeoutMilliseconds = result.Case.Bank.ProbeTimeout?.TotalMilliseconds,
        ServesStaticTimers = result.Case.Bank.ServesStaticTimers,
        TransfersPerSecond = result.TransfersPerSecond,
        Started = result.Work.Started,
        Finished = result.Work.Finished,
        Outcomes = Enum.GetValues<TransferOutcome>().ToDictionary(
            static outcome => outcome, outcome => result.Work[outcome]),
        Retries = result.Work.Retries,
        InDoubt = result.Work.InDoubt,
        LatencyMilliseconds = LatencyFigures.Of(result.Work.Latencies),
        LatencyShares = [.. result.Work.Latencies.Cumulated],
        OverTime = result.Latencies,
        Stalls = result.Work.Stalls,
        LongestPauseMilliseconds = result.LongestPause.TotalMilliseconds,
        TimersScheduled = result.Timers.Scheduled,
        TimersCancelled = result.Timers.Cancelled,
        TimersFired = result.Timers.Fired,
        TimersFiredEarly = result.Timers.FiredEarly,
        WorstEarlyMilliseconds = result.Timers.WorstEarly.TotalMilliseconds,
        Recoveries = [.. result.Recoveries.Select(RecoveryFigures.Of)],
        EngineTimersPending = result.EngineTimersPending,
        EngineTimerProbes = result.Probes.Count(static probe => probe.Kind == ProbeKind.StaticTimer),
        EngineTimerProbesEarly = result.Probes.Count(
            static probe => probe.Kind == ProbeKind.StaticTimer && probe.IsEarly),
        Probes = result.Probes,
        Phases = result.Phases,
        CpuMicrosecondsPerTransfer = result.CpuMicrosecondsPerTransfer,
        BytesPerTransfer = result.BytesPerTransfer,
        LockWaits = result.LockContentions,
        PeakWorkingSetBytes = result.Memory.PeakWorkingSetBytes,
        LiveBytes = result.Memory.LiveBytes,
        CloseMilliseconds = result.CloseTime.TotalMilliseconds,
        Errors = result.Errors,
    };
}
