using ScalableTimers;
using ScalableTimers.Compare.Workloads.Partitioned;
using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Embedded;

/// <summary>Runs banks without Orleans: accounts and tellers are actors in this process.</summary>
internal sealed class EmbeddedEngine : IBankEngine
{
    public string Name => "embedded";

    public string Describe(BankSettings settings) => "actors in this process, without Orleans";

    public bool HasSilos => false;

    public int DefaultAccounts => 10_000;

    public int DefaultConcurrency => 500;

    public IReadOnlyList<TimerKind> TimerKinds { get; } = [TimerKind.OneLock, TimerKind.System, TimerKind.Scalable];

    public Task<IBank> OpenAsync(TimerKind timers, BankSettings settings)
    {
        var tally = new TimerTally();
        switch (timers)
        {
            case TimerKind.OneLock:
                var queue = new GlobalLockQueue();
                return Task.FromResult<IBank>(
                    new EmbeddedBank(new OneLockTimers(tally, queue), tally, queue, settings));
            case TimerKind.System:
                return Task.FromResult<IBank>(
                    new EmbeddedBank(new SystemTimers(tally), tally, timerSource: null, settings));
            case TimerKind.Scalable:
                var service = new TimerService();
                return Task.FromResult<IBank>(
                    new EmbeddedBank(new ServiceTimers(tally, service), tally, service, settings));
            default:
                throw new ArgumentOutOfRangeException(
                    nameof(timers), timers, "The embedded engine has no such timers.");
        }
    }
}
