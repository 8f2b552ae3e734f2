namespace TransactionsDemo.Bank;

/// <summary>An account.</summary>
internal interface IAccountGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Join)]
    Task Withdraw(long amount);

    [Transaction(TransactionOption.Join)]
    Task Deposit(long amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> ReadBalance();
}
