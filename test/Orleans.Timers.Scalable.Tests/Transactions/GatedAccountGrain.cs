using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests;

[Reentrant]
internal sealed class GatedAccountGrain(
    [TransactionalState("balance", GatedAccountGrain.Storage)] ITransactionalState<AccountState> state)
    : Grain, IGatedAccountGrain
{
    internal const string Storage = "gated";

    public Task Add(int amount) => state.PerformUpdate(account => { account.Balance += amount; });

    public Task<int> Balance() => state.PerformRead(static account => account.Balance);

    public async Task MoveTo(IGatedAccountGrain payee, int amount)
    {
        await Add(-amount);
        await payee.Add(amount);
    }
}
