using ScalableTimers;
using TransactionsDemo.Bank;
using TransactionsDemo.Experiment;
using TransactionsDemo.Probes;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Embedded;

/// <summary>A bank of actors in this process.</summary>
internal sealed class EmbeddedBank : IBank
{
    private readonly IDisposable? _timerSource;
    private readonly ActorSystem _system;
    private readonly DecisionLog _decisions;
    private readonly AccountActor[] _accounts;
    private readonly TellerActor[] _tellers;
    private readonly OperationStatistics _phases = new();

    /// <param name="timers">The timers of the bank.</param>
    /// <param name="tally">Counts the timers.</param>
    /// <param name="timerSource">The source of the timers, which is disposed with the bank.</param>
    /// <param name="settings">The settings of the bank.</param>
    public EmbeddedBank(DemoTimers timers, TimerTally tally, IDisposable? timerSource, BankSettings settings)
    {
        Timers = tally;
        _timerSource = timerSource;
        _system = new ActorSystem(timers);
        _decisions = new DecisionLog(_system);
        _accounts = [.. Enumerable.Range(0, settings.Accounts).Select(_ => new AccountActor(_system, _decisions))];
        _tellers =
        [
            .. Enumerable.Range(0, settings.Tellers).Select(
                _ => new TellerActor(_system, _decisions, _accounts, _phases))
        ];
    }

    public TimerTally Timers { get; }

    public IReadOnlyList<OperationSummary> Phases => _phases.Snapshot();

    public IEnumerable<Probe> Probes => [];

    public void ClearPhases() => _phases.Clear();

    public Task<TransferResult> TransferAsync(Transfer transfer) => _tellers[transfer.Teller].TransferAsync(transfer);

    public async Task<BankCount> CountAsync()
    {
        await Task.WhenAll(_tellers.Select(static teller => teller.SettleAsync()));
        var balances = await Task.WhenAll(_accounts.Select(static account => account.ReadBalanceAsync()));
        _system.ThrowIfFaulted();
        return new BankCount(balances, await _decisions.CountCommittedAsync());
    }

    /// <summary>None: its transactions use the timers of the bank only.</summary>
    public long? CountEngineTimers() => null;

    public SiloDeath KillSilo() => throw new NotSupportedException("The embedded engine has no silos.");

    public Task<TimeSpan[]> MeasureDelaysAsync(TimeSpan[] dueTimes) =>
        DelayProbe.MeasureAsync(_system.Timers, dueTimes);

    public ValueTask DisposeAsync()
    {
        _phases.Dispose();
        _timerSource?.Dispose();
        return default;
    }
}
