using ScalableTimers;
using TransactionsDemo.Bank;
using TransactionsDemo.Load;
using TransactionsDemo.Probes;
using TransactionsDemo.Report;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Tests;

/// <summary>Figures as a run might have.</summary>
internal static class SomeFigures
{
    /// <summary>All grow with a number.</summary>
    public static RunFigures Of(int number) => new()
    {
        Engine = "orleans",
        Description = "Silos",
        Timers = TimerKind.System,
        Round = 1,
        Accounts = 10,
        Concurrency = 2,
        Silos = 2,
        Seed = 1,
        TransactionOptions = TransactionOptionsKind.Default,
        Storage = StorageKind.Memory,
        ProbeTimeoutMilliseconds = null,
        ServesStaticTimers = null,
        TransfersPerSecond = 1000 * number,
        Started = 100,
        Finished = 100,
        Outcomes = new Dictionary<TransferOutcome, long> { [TransferOutcome.Committed] = 100 },
        Retries = 0,
        InDoubt = 0,
        LatencyMilliseconds = new LatencyFigures(number, 10 * number, 20 * number),
        LatencyShares = [new LatencyShare(0.5 * number, 50), new LatencyShare(10 * number, 100)],
        OverTime =
        [
            new LatencySlot(0.25, 900 * number, number, 9 * number),
            new LatencySlot(0.5, 1000, 2, 11 * number),
        ],
        Stalls = 0,
        LongestPauseMilliseconds = 1,
        TimersScheduled = 1,
        TimersCancelled = 1,
        TimersFired = 0,
        TimersFiredEarly = 0,
        WorstEarlyMilliseconds = 0,
        Recoveries = [],
        EngineTimersPending = 10_000,
        EngineTimerProbes = 2,
        EngineTimerProbesEarly = 1,
        Probes =
        [
            new ProbeSample(ProbeKind.Application, 20, 19.5),
            new ProbeSample(ProbeKind.Application, 20, 25),
            new ProbeSample(ProbeKind.StaticTimer, 5000, 1000),
            new ProbeSample(ProbeKind.ResponseTimeout, 200, 200 + (100 * number)),
            new ProbeSample(ProbeKind.ResponseTimeout, 200, 900),
        ],
        Phases = [new OperationSummary("commit", 5, 10, 9, 1, number, 8)],
        CpuMicrosecondsPerTransfer = 100 * number,
        BytesPerTransfer = 10,
        LockWaits = 40 * number,
        PeakWorkingSetBytes = 100_000_000 * number,
        LiveBytes = 10_000_000 * number,
        CloseMilliseconds = 500 * number,
        Errors = [],
    };
}
