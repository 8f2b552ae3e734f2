namespace Orleans.Timers.Scalable.Tests;

/// <summary>An account in a storage that a test can delay.</summary>
public interface IGatedAccountGrain : IAccountGrain
{
    /// <summary>Takes part in a transaction with another account.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task MoveTo(IGatedAccountGrain payee, int amount);
}
