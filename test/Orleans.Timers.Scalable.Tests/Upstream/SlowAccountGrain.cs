using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests.Upstream;

[Reentrant]
internal sealed class SlowAccountGrain(
    [TransactionalState("balance", AccountGrain.Storage)] ITransactionalState<AccountState> state)
    : Grain, ISlowAccountGrain
{
    public async Task AddSlowly(int amount, TimeSpan duration)
    {
        await state.PerformUpdate(account => { account.Balance += amount; });
        await Task.Delay(duration);
    }
}
