using System.Diagnostics;
using TransactionsDemo.Bank;
using TransactionsDemo.Probes;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Load;

/// <summary>Opens a bank, loads it, counts its money and closes it.</summary>
internal sealed class RoundRunner(WorkMix mix, TimeSpan duration, TimeSpan? warmUpDuration)
{
    private const int WarmUpRound = 0;

    private static readonly TimeSpan s_warmUp = TimeSpan.FromMilliseconds(500);

    /// <summary>The warm-up of the first bank of an engine, whose code has yet to be compiled.</summary>
    private static readonly TimeSpan s_firstWarmUp = TimeSpan.FromSeconds(2);

    /// <summary>In rising order: of timers in one list, those behind the first that fires would fire with it.</summary>
    private static readonly TimeSpan[] s_applicationWaits =
        [TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(400)];

    private static readonly TimeSpan s_applicationPeriod = TimeSpan.FromMilliseconds(110);

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
        showProgress("opening");
        var bank = await loadCase.OpenAsync();
        RunResult result;
        try
        {
            result = await RunAsync(bank, loadCase, round, showProgress, cancellationToken);
        }
        catch
        {
            await bank.DisposeAsync();
            throw;
        }

        showProgress("closing");
        var startedAt = Stopwatch.GetTimestamp();
        await bank.DisposeAsync();
        return result with { CloseTime = Stopwatch.GetElapsedTime(startedAt) };
    }

    private async Task<RunResult> RunAsync(
        IBank bank, LoadCase loadCase, int round, Action<string> showProgress, CancellationToken cancellationToken)
    {
        var settings = loadCase.Bank;
        var ledger = new Ledger(settings);
        var errors = new List<string>();
        await WarmUpAsync(bank, loadCase, ledger, showProgress, cancellationToken);
        await SettleAsync(bank, ledger, errors);
        bank.Timers.Reset();
        bank.ClearPhases();

        var load = new LoadGenerator(bank, ledger, settings, duration);
        var resources = ResourceMeter.Start();
        var recovery = WatchRecoveryAsync(bank, load, settings.KillAfter);
        var probing = ProbeAsync(bank, settings);
        var engineTimers = CountEngineTimersAsync(bank);
        WorkTally work;
        await using (new LoadProgress(string.Empty, load, showProgress))
        {
            work = await load.RunAsync(new TransferPlan(settings, mix, round), cancellationToken);
        }

        var (cpuTime, allocatedBytes, lockContentions) =
            (resources.CpuTime, resources.AllocatedBytes, resources.LockContentions);
        cancellationToken.ThrowIfCancellationRequested();
        var engineTimersPending = await engineTimers;
        var memory = MemoryUse.Measure();
        var probes = await probing;
        showProgress("counting the money");
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
            Latencies = load.Timeline.Latencies,
            Timers = timers,
            Phases = bank.Phases,
            Recoveries = await recovery is { } recovered ? [recovered] : [],
            Probes = probes,
            EngineTimersPending = engineTimersPending,
            LongestPause = load.Timeline.LongestPause,
            CpuTime = cpuTime,
            AllocatedBytes = allocatedBytes,
            LockContentions = lockContentions,
            Memory = memory,
            Errors = errors,
        };
    }

    /// <summary>Without faults, so as not to wait for their ends.</summary>
    private async Task WarmUpAsync(
        IBank bank,
        LoadCase loadCase,
        Ledger ledger,
        Action<string> showProgress,
        CancellationToken cancellationToken)
    {
        var isFirst = _warmEngines.Add(loadCase.Engine);
        var load = new LoadGenerator(
            bank, ledger, loadCase.Bank, warmUpDuration ?? (isFirst ? s_firstWarmUp : s_warmUp));
        await using var progress = new LoadProgress("warming up, ", load, showProgress);
        await load.RunAsync(new TransferPlan(loadCase.Bank, mix with { Fail = 0 }, WarmUpRound), cancellationToken);
    }

    private async Task<ProbeSample[]> ProbeAsync(IBank bank, BankSettings settings)
    {
        // The grains that would be probed may die with a silo.
        if (settings.KillAfter is not null)
        {
            return [];
        }

        var application = new Probe(
            ProbeKind.Application, s_applicationWaits, s_applicationPeriod, bank.MeasureDelaysAsync);
        var samples = await Task.WhenAll(bank.Probes.Append(application).Select(probe => probe.RunAsync(duration)));
        return [.. samples.SelectMany(static each => each)];
    }

    /// <summary>At the end of the load, before those that are pending become fewer.</summary>
    private async Task<long?> CountEngineTimersAsync(IBank bank)
    {
        await Task.Delay(duration);
        return bank.CountEngineTimers();
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
