using Orleans.Concurrency;
using Orleans.Placement;
using Orleans.Transactions.Abstractions;

namespace TransactionsDemo.Bank;

/// <summary>A teller, in any silo. Two accounts and the teller's books take part in each transaction.</summary>
[Reentrant]
[RandomPlacement]
internal sealed class TellerGrain(
    [TransactionalState("books", BankCluster.Storage)] ITransactionalState<TellerBooks> books) : Grain, ITellerGrain
{
    public async Task Transfer(int from, int to, long amount)
    {
        // In the order of account numbers, so that two transfers cannot wait for each other's account.
        if (from < to)
        {
            await Account(from).Withdraw(amount);
            await Account(to).Deposit(amount);
        }
        else
        {
            await Account(to).Deposit(amount);
            await Account(from).Withdraw(amount);
        }

        await books.PerformUpdate(static state => { state.Transfers++; });
    }

    public Task<long> CountTransfers() => books.PerformRead(static state => state.Transfers);

    private IAccountGrain Account(int number) => GrainFactory.GetGrain<IAccountGrain>(number);
}
