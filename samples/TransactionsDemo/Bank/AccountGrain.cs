using Orleans.Concurrency;
using Orleans.Placement;
using Orleans.Transactions.Abstractions;

namespace TransactionsDemo.Bank;

/// <summary>An account. Reentrant, because calls from other transactions wait in it for their turn.</summary>
[Reentrant]
[RandomPlacement]
internal sealed class AccountGrain(
    [TransactionalState("account", BankCluster.Storage)] ITransactionalState<AccountState> state) : Grain, IAccountGrain
{
    public Task Withdraw(long amount) => state.PerformUpdate(account =>
    {
        // The exception aborts the whole transaction.
        if (account.Balance < amount)
        {
            throw new InvalidOperationException($"The account holds {account.Balance}, not {amount}.");
        }

        account.Balance -= amount;
    });

    public Task Deposit(long amount) => state.PerformUpdate(account => { account.Balance += amount; });

    public Task<long> ReadBalance() => state.PerformRead(static account => account.Balance);
}
