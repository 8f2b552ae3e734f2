using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests;

[Reentrant]
internal sealed class LateAccountGrain(
    [TransactionalState("balance", AccountGrain.Storage)] ITransactionalState<AccountState> state)
    : Grain, ILateAccountGrain
{
    public async Task<int> Add(int amount, Guid gate)
    {
        await state.PerformUpdate(account => { account.Balance += amount; });
        return await WaitApart(gate);
    }

    public Task<int> AddCancellable(int amount, Guid gate, CancellationToken cancellationToken) => Add(amount, gate);

    public Task<int> AddSoon(int amount, Guid gate) => Add(amount, gate);

    public Task<int> WaitApart(Guid gate)
    {
        Gate.Of(gate).Arrived();
        return Gate.Of(gate).Opened;
    }

    public Task<int> Balance() => state.PerformRead(static account => account.Balance);
}
