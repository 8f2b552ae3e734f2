namespace Cluster.Bank;

/// <summary>An account.</summary>
internal interface IAccountGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Join)]
    Task Change(int transfer, long amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<AccountState> Read();
}

/// <summary>Makes transfers.</summary>
internal interface ITellerGrain : IGrainWithIntegerKey
{
    /// <summary>Moves money between two accounts, or does nothing.</summary>
    [Transaction(TransactionOption.Create)]
    Task Transfer(int transfer, int from, int to, long amount);
}

/// <summary>Shows when response timeouts come.</summary>
internal interface ISlowGrain : IGrainWithIntegerKey
{
    static readonly TimeSpan ResponseTimeout = TimeSpan.FromMilliseconds(500);

    /// <summary>Answers long after its response timeout.</summary>
    [ResponseTimeout("00:00:00.5")]
    Task AnswerTooLate();
}
