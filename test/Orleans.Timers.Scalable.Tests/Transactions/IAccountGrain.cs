namespace Orleans.Timers.Scalable.Tests;

public interface IAccountGrain : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Balance();
}
