using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests;

internal sealed class AccountGrain(
    [TransactionalState("balance", AccountGrain.Storage)] ITransactionalState<AccountState> state)
    : Grain, IAccountGrain
{
    internal const string Storage = "accounts";

    public Task Add(int amount) => state.PerformUpdate(account => { account.Balance += amount; });

    public Task<int> Balance() => state.PerformRead(static account => account.Balance);
}
