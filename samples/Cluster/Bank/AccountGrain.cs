using Microsoft.Extensions.DependencyInjection;
using Orleans.Concurrency;
using Orleans.Placement;
using Orleans.Timers.Scalable;
using Orleans.Transactions.Abstractions;

namespace Cluster.Bank;

/// <summary>An account that also runs a delay, a periodic timer and, in some accounts, a reminder.</summary>
[Reentrant]
[RandomPlacement]
internal sealed class AccountGrain(
    [TransactionalState("account", BankSilo.Storage)] ITransactionalState<AccountState> state,
    WaitWatch watch,
    IServiceProvider services) : Grain, IAccountGrain, IRemindable, IDisposable
{
    private static readonly TimeSpan s_interestPeriod = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_statementPeriod = TimeSpan.FromSeconds(20);

    /// <summary>One account in this many has a reminder.</summary>
    private const int StatementShare = 20;

    private readonly CancellationTokenSource _ended = new();
    private long _interest;
    private DateTime _firstStatement;
    private TimeSpan _nextStatement;

    public override async Task OnActivateAsync(CancellationToken cancellationToken)
    {
        if (this.GetPrimaryKeyLong() % StatementShare == 0)
        {
            await this.RegisterOrUpdateReminder("statement", s_statementPeriod, s_statementPeriod, cancellationToken);
        }

        cancellationToken.ThrowIfCancellationRequested();
        _interest = watch.Begin(s_interestPeriod);
        this.RegisterGrainTimer(
            _ =>
            {
                watch.End(_interest);
                _interest = _ended.IsCancellationRequested ? 0 : watch.Begin(s_interestPeriod);
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

    /// <summary>A failed activation is disposed without being deactivated.</summary>
    public void Dispose()
    {
        watch.Drop(_interest);
        _ended.Cancel();
        _ended.Dispose();
    }

    public Task Change(int transfer, long amount) => state.PerformUpdate(account =>
    {
        account.Balance += amount;
        account.Transfers.Add(transfer);
    });

    public Task<AccountState> Read() => state.PerformRead(
        static account => new AccountState { Balance = account.Balance, Transfers = [.. account.Transfers] });

    public Task ReceiveReminder(string reminderName, TickStatus status)
    {
        // Each activation registers the reminder anew. A firing long before the next time repeats the previous one,
        // because another silo also took the reminder for its own.
        if (status.FirstTickTime != _firstStatement)
        {
            (_firstStatement, _nextStatement) = (status.FirstTickTime, TimeSpan.Zero);
        }

        var at = status.CurrentTickTime - _firstStatement;
        var isEarly = at < _nextStatement && at > _nextStatement - TimeSpan.FromSeconds(1);
        _nextStatement = s_statementPeriod * (Math.Floor(at / s_statementPeriod) + (isEarly ? 2 : 1));
        watch.CountReminder(isEarly);
        return Task.CompletedTask;
    }

    private async Task WaitAsync()
    {
        var delays = services.GetService<IGrainDelay>();
        delays?.KeepAlive = false;

        // Read first, because a wait that ends with its activation may continue after the source is disposed.
        var ended = _ended.Token;
        while (true)
        {
            var dueTime = TimeSpan.FromMilliseconds(Random.Shared.Next(100, 2_000));
            var wait = watch.Begin(dueTime);
            try
            {
#pragma warning disable STM001 // Orleans alone has no IGrainDelay.
                await (delays?.Delay(dueTime, ended).AsTask() ?? Task.Delay(dueTime, ended));
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
