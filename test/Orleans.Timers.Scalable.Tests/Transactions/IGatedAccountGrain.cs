namespace Orleans.Timers.Scalable.Tests;

/// <summary>An account in a storage that can be held up.</summary>
public interface IGatedAccountGrain : IAccountGrain
{
    /// <summary>Takes part in a transaction with another account.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task MoveTo(IGatedAccountGrain payee, int amount);
}
