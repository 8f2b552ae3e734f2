using Orleans.Concurrency;
using Orleans.Placement;
using Orleans.Transactions.Abstractions;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>An account, in any silo. Reentrant, since calls of other transactions wait in it for their turn.</summary>
[RandomPlacement]
[Reentrant]
internal sealed class AccountGrain(
    [TransactionalState("account", OrleansEngine.StorageName)] ITransactionalState<AccountState> state,
    DemoTimers timers,
    Limits limits) : Grain, IAccountGrain
{
    public Task OpenAsync(long balance) => state.PerformUpdate(account => { account.Balance = balance; });

    public Task<bool> ChangeAsync(long amount) => state.PerformUpdate(account =>
    {
        if (account.Balance + amount < 0)
        {
            return false;
        }

        account.Balance += amount;
        return true;
    });

    public Task<long> ReadBalanceAsync() => state.PerformRead(static account => account.Balance);

    public async Task LoseAnswerAsync() => await timers.DelayAsync(limits.Call * 1.5);
}
