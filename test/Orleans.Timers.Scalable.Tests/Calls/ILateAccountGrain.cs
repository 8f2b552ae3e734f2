namespace Orleans.Timers.Scalable.Tests;

public interface ILateAccountGrain : IGrainWithGuidKey
{
    /// <summary>Adds at once, and answers when a gate is opened.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Add(int amount, Guid gate);

    /// <summary>The same with a token that the method does not observe.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> AddCancellable(int amount, Guid gate, CancellationToken cancellationToken);

    /// <summary>The same with a response timeout of Orleans.</summary>
    [ResponseTimeout("00:00:00.5")]
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> AddSoon(int amount, Guid gate);

    /// <summary>Waits for the gate without being part of a transaction.</summary>
    Task<int> WaitApart(Guid gate);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Balance();
}
