using Microsoft.Extensions.DependencyInjection;
using Orleans.Concurrency;
using Orleans.Placement;
using Orleans.Timers.Scalable;
using Orleans.Transactions.Abstractions;

namespace Cluster.Bank;

/// <summary>An account, in which a delay, a periodic timer and, in some, a reminder run as well.</summary>
[Reentrant]
[RandomPlacement]
internal sealed class AccountGrain(
    [TransactionalState("account", BankSilo.Storage)] ITransactionalState<AccountState> state,
    WaitWatch watch,
    IServiceProvider services) : Grain, IAccountGrain, IRemindable, IDisposable
{
    private static readonly TimeSpan s_interestPeriod = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_statementPeriod = TimeSpan.FromSeconds(20);

    /// <summary>One account of so many has a reminder.</summary>
    private const int StatementShare = 20;

    private readonly CancellationTokenSource _ended = new();
    private long _interest;

    public override async Task OnActivateAsync(CancellationToken cancellationToken)
    {
        if (this.GetPrimaryKeyLong() % StatementShare == 0)
        {
            await this.RegisterOrUpdateReminder("statement", s_statementPeriod, s_statementPeriod, cancellationToken);
        }

        _interest = watch.Begin(s_interestPeriod);
        this.RegisterGrainTimer(
            _ =>
            {
                watch.End(_interest);
                _interest = watch.Begin(s_interestPeriod);
                return Task.CompletedTask;
            },
            new GrainTimerCreationOptions(s_interestPeriod, s_interestPeriod) { Interleave = true });
        _ = WaitAsync();
    }

    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        watch.Drop(_interest);
        return _ended.CancelAsync();
    }

    public void Dispose() => _ended.Dispose();

    public Task Change(int transfer, long amount) => state.PerformUpdate(account =>
    {
        account.Balance += amount;
        account.Transfers.Add(transfer);
    });

    public Task<AccountState> Read() => state.PerformRead(
        static account => new AccountState { Balance = account.Balance, Transfers = [.. account.Transfers] });

    public Task ReceiveReminder(string reminderName, TickStatus status)
    {
        // Less than a second before one of its times it is early, and not late.
        var since = DateTime.UtcNow - status.FirstTickTime;
        var left = s_statementPeriod - TimeSpan.FromTicks(since.Ticks % s_statementPeriod.Ticks);
        watch.CountReminder(left < TimeSpan.FromSeconds(1));
        return Task.CompletedTask;
    }

    private async Task WaitAsync()
    {
        var delays = services.GetService<IGrainDelay>();
        if (delays is not null)
        {
            delays.KeepAlive = false;
        }

        while (true)
        {
            var dueTime = TimeSpan.FromMilliseconds(Random.Shared.Next(100, 2_000));
            var wait = watch.Begin(dueTime);
            try
            {
#pragma warning disable STM001 // Orleans alone has no IGrainDelay.
                await (delays?.Delay(dueTime, _ended.Token).AsTask() ?? Task.Delay(dueTime, _ended.Token));
#pragma warning restore STM001
                watch.End(wait);
            }
            catch (OperationCanceledException)
            {
                watch.Drop(wait);
                return;
            }
        }
    }
}
