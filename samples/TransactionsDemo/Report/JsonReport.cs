using System.Text.Json;
using System.Text.Json.Serialization;
using TransactionsDemo.Bank;
using TransactionsDemo.CommandLine;
using TransactionsDemo.Experiment;
using TransactionsDemo.Load;

namespace TransactionsDemo.Report;

/// <summary>All figures for other programs to read.</summary>
internal static class JsonReport
{
    private static readonly JsonSerializerOptions s_format = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    public static async Task WriteAsync(
        FileInfo file,
        DemoOptions options,
        IEnumerable<RunResult> runs,
        IEnumerable<RunResult> sums,
        IEnumerable<DelayMeasurement> delays)
    {
        var report = new
        {
            Machine = new
            {
                Environment.ProcessorCount,
                Runtime = System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription,
                OperatingSystem = System.Runtime.InteropServices.RuntimeInformation.OSDescription,
                System.Runtime.GCSettings.IsServerGC,
            },
            Options = new
            {
                options.Rounds,
                DurationMilliseconds = options.Duration.TotalMilliseconds,
                options.Mix.Hot,
                options.Mix.Slow,
                options.Mix.Fail,
            },
            Runs = runs.Select(Project),
            Totals = sums.Select(Project),
            Delays = delays.Select(static each => new
            {
                Engine = each.Case.Engine.Name,
                each.Case.Timers,
                AskedMilliseconds = each.Asked.Select(static asked => asked.TotalMilliseconds),
                GotMilliseconds = each.Got.Select(static got => got.TotalMilliseconds),
                each.Errors,
            }),
        };

        await using var stream = file.Create();
        await JsonSerializer.SerializeAsync(stream, report, s_format);
    }

    private static object Project(RunResult result) => new
    {
        Engine = result.Case.Engine.Name,
        Description = result.Case.Engine.Describe(result.Case.Bank),
        result.Case.Timers,
        result.Round,
        result.Case.Bank.Accounts,
        Concurrency = result.Case.Bank.Tellers,
        result.Case.Bank.Silos,
        result.Case.Bank.Seed,
        result.Case.Bank.TransactionOptions,
        result.Case.Bank.Storage,
        ProbeTimeoutMilliseconds = result.Case.Bank.ProbeTimeout?.TotalMilliseconds,
        result.Case.Bank.ServesStaticTimers,
        result.TransfersPerSecond,
        result.Work.Started,
        result.Work.Finished,
        Outcomes = Enum.GetValues<TransferOutcome>().ToDictionary(
            static outcome => outcome, outcome => result.Work[outcome]),
        result.Work.Retries,
        result.Work.InDoubt,
        LatencyMilliseconds = new
        {
            P50 = result.Work.Latencies.Percentile(0.5).TotalMilliseconds,
            P99 = result.Work.Latencies.Percentile(0.99).TotalMilliseconds,
            Max = result.Work.Latencies.Max.TotalMilliseconds,
        },
        result.Work.Stalls,
        LongestPauseMilliseconds = result.LongestPause.TotalMilliseconds,
        TimersScheduled = result.Timers.Scheduled,
        TimersCancelled = result.Timers.Cancelled,
        TimersFired = result.Timers.Fired,
        TimersFiredEarly = result.Timers.FiredEarly,
        WorstEarlyMilliseconds = result.Timers.WorstEarly.TotalMilliseconds,
        Recoveries = result.Recoveries.Select(static recovery => new
        {
            KilledAtMilliseconds = recovery.KilledAt.TotalMilliseconds,
            DeclaredDeadAfterMilliseconds = recovery.DeclaredDeadAfter?.TotalMilliseconds,
            RecoveredAfterMilliseconds = recovery.RecoveredAfter?.TotalMilliseconds,
            recovery.CommitsPerSecondBefore,
            recovery.CommitsPerSecondAfter,
            recovery.FailedAfterKill,
            recovery.CommitsBySecond,
        }),
        EngineTimersPending = result.EngineTimers.Pending,
        EngineTimerProbes = result.EngineTimers.Probes,
        EngineTimerProbesEarly = result.EngineTimers.EarlyProbes,
        result.Phases,
        result.CpuMicrosecondsPerTransfer,
        result.BytesPerTransfer,
        result.Errors,
    };
}
