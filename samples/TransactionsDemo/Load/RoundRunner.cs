using System.Diagnostics;
using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Load;

/// <summary>Opens a bank, loads it, counts its money and closes it.</summary>
internal sealed class RoundRunner(WorkMix mix, TimeSpan duration, TimeSpan? warmUpDuration)
{
    private const int WarmUpRound = 0;

    private static readonly TimeSpan s_warmUp = TimeSpan.FromMilliseconds(500);

    /// <summary>The warm-up of the first bank of an engine, whose code has yet to be compiled.</summary>
    private static readonly TimeSpan s_firstWarmUp = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan s_progressPeriod = TimeSpan.FromMilliseconds(250);

    /// <summary>Longer than any time limit that a transfer may leave behind.</summary>
    private static readonly TimeSpan s_timersEndWithin = TimeSpan.FromSeconds(15);

    private readonly HashSet<IBankEngine> _warmEngines = [];

    /// <summary>Runs a case for one round.</summary>
    /// <param name="loadCase">The case.</param>
    /// <param name="round">From 1.</param>
    /// <param name="showProgress">Called now and then with the progress.</param>
    /// <param name="cancellationToken">Ends the load.</param>
    public async Task<RunResult> RunAsync(
        LoadCase loadCase, int round, Action<string> showProgress, CancellationToken cancellationToken)
    {
        var settings = loadCase.Bank;
        showProgress("opening");
        await using var bank = await loadCase.OpenAsync();
        var ledger = new Ledger(settings);
        var errors = new List<string>();

        showProgress("warming up");

        // The warm-up has no faults, because their ends would take long.
        var isFirst = _warmEngines.Add(loadCase.Engine);
        var warmUp = new LoadGenerator(bank, ledger, settings, warmUpDuration ?? (isFirst ? s_firstWarmUp : s_warmUp));
        await warmUp.RunAsync(new TransferPlan(settings, mix with { Fail = 0 }, WarmUpRound), cancellationToken);
        await SettleAsync(bank, ledger, errors);
        bank.Timers.Reset();
        bank.ClearPhases();

        var load = new LoadGenerator(bank, ledger, settings, duration);
        await using var progress = new Timer(ShowFinished, null, s_progressPeriod, s_progressPeriod);
        var resources = ResourceMeter.Start();
        var recovery = WatchRecoveryAsync(bank, load, settings.KillAfter);
        var engineTimers = bank.WatchEngineTimersAsync(duration);
        var work = await load.RunAsync(new TransferPlan(settings, mix, round), cancellationToken);
        var (cpuTime, allocatedBytes) = (resources.CpuTime, resources.AllocatedBytes);
        cancellationToken.ThrowIfCancellationRequested();
        await SettleAsync(bank, ledger, errors);
        var timers = bank.Timers.Counts;
        if (loadCase.Timers == TimerKind.Scalable && timers.FiredEarly > 0)
        {
            errors.Add(
                $"{timers.FiredEarly:N0} timers have fired early, by up to {timers.WorstEarly.TotalMilliseconds:N3} "
                + "ms.");
        }

        return new RunResult
        {
            Case = loadCase,
            Round = round,
            Duration = duration,
            Work = work,
            Timers = timers,
            Phases = bank.Phases,
            Recoveries = await recovery is { } recovered ? [recovered] : [],
            EngineTimers = await engineTimers,
            LongestPause = load.Timeline.LongestPause,
            CpuTime = cpuTime,
            AllocatedBytes = allocatedBytes,
            Errors = errors,
        };

        void ShowFinished(object? state) => showProgress($"{load.Finished:N0} transfers");
    }

    /// <summary>Kills a silo at its time, and evaluates the recovery when the load has ended.</summary>
    private async Task<Recovery?> WatchRecoveryAsync(IBank bank, LoadGenerator load, TimeSpan? killAfter)
    {
        if (killAfter is not { } dueTime)
        {
            return null;
        }

        await Task.Delay(dueTime);
        var killedAt = load.Timeline.Elapsed;
        var death = bank.KillSilo();
        var end = Task.Delay(duration - killedAt);
        var isDeclaredDead = await Task.WhenAny(death.DeclaredDead, end) != end;
        await end;
        return Recovery.Of(load.Timeline, killedAt, isDeclaredDead ? await death.DeclaredDead : null);
    }

    private static async Task SettleAsync(IBank bank, Ledger ledger, List<string> errors)
    {
        errors.AddRange(ledger.Check(await bank.CountAsync()));
        var startedAt = Stopwatch.GetTimestamp();
        while (bank.Timers.Counts.Pending != 0)
        {
            if (Stopwatch.GetElapsedTime(startedAt) > s_timersEndWithin)
            {
                errors.Add($"{bank.Timers.Counts.Pending:N0} timers are lost: they were neither cancelled nor fired.");
                return;
            }

            await Task.Delay(TimeSpan.FromMilliseconds(10));
        }
    }
}
