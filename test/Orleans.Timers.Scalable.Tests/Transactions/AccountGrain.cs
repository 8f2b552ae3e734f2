using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests;

public interface IAccountGrain : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Balance();

    /// <summary>Takes part in a transaction with another account.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task MoveTo(IAccountGrain payee, int amount);

    /// <summary>Adds at once, and answers when a gate is opened.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> AddLate(int amount, Guid gate);

    /// <summary>The same with a token that the method does not observe.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> AddCancellable(int amount, Guid gate, CancellationToken cancellationToken);

    /// <summary>The same with a response timeout of Orleans.</summary>
    [ResponseTimeout("00:00:00.5")]
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> AddSoon(int amount, Guid gate);

    /// <summary>The same, but adds when the gate is opened, and arrives at it again with the lock.</summary>
    [ResponseTimeout("00:00:00.5")]
    [Transaction(TransactionOption.CreateOrJoin)]
    Task AddSoonAfter(int amount, Guid gate);

    /// <summary>Waits for the gate without being part of a transaction.</summary>
    Task<int> WaitApart(Guid gate);
}

[GenerateSerializer]
public sealed class AccountState
{
    [Id(0)]
    public int Balance { get; set; }
}

[Reentrant]
internal sealed class AccountGrain(
    [TransactionalState("balance", AccountGrain.Storage)] ITransactionalState<AccountState> state)
    : Grain, IAccountGrain
{
    internal const string Storage = "accounts";

    public Task Add(int amount) => state.PerformUpdate(account => { account.Balance += amount; });

    public Task<int> Balance() => state.PerformRead(static account => account.Balance);

    public async Task MoveTo(IAccountGrain payee, int amount)
    {
        await Add(-amount);
        await payee.Add(amount);
    }

    public async Task<int> AddLate(int amount, Guid gate)
    {
        await Add(amount);
        return await WaitApart(gate);
    }

    public Task<int> AddCancellable(int amount, Guid gate, CancellationToken cancellationToken) =>
        AddLate(amount, gate);

    public Task<int> AddSoon(int amount, Guid gate) => AddLate(amount, gate);

    public async Task AddSoonAfter(int amount, Guid gate)
    {
        await WaitApart(gate);
        await Add(amount);
        Gate.Of(gate).Arrived();
    }

    public Task<int> WaitApart(Guid gate)
    {
        Gate.Of(gate).Arrived();
        return Gate.Of(gate).Opened;
    }
}
