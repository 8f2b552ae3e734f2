namespace TransactionsDemo.Bank;

internal interface IAccountGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Join)]
    Task Withdraw(long amount);

    [Transaction(TransactionOption.Join)]
    Task Deposit(long amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> ReadBalance();
}

internal interface ITellerGrain : IGrainWithIntegerKey
{
    /// <summary>Moves money between two accounts, and enters it in the teller's books, or does nothing.</summary>
    [Transaction(TransactionOption.Create)]
    Task Transfer(int from, int to, long amount);

    /// <summary>How many transfers are in the books.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> CountTransfers();
}

/// <summary>Shows when waits in a grain end.</summary>
internal interface IWaitingGrain : IGrainWithIntegerKey
{
    static readonly TimeSpan ResponseTimeout = TimeSpan.FromMilliseconds(200);

    /// <summary>Waits once.</summary>
    /// <returns>How long the wait took.</returns>
    Task<TimeSpan> Measure(TimeSpan dueTime);

    /// <summary>Answers long after its response timeout.</summary>
    [ResponseTimeout("00:00:00.2")]
    Task AnswerTooLate();
}

/// <summary>What an account stores.</summary>
[GenerateSerializer]
internal sealed class AccountState
{
    public const long OpeningBalance = 10_000;

    [Id(0)]
    public long Balance { get; set; } = OpeningBalance;
}

/// <summary>What a teller stores.</summary>
[GenerateSerializer]
internal sealed class TellerBooks
{
    [Id(0)]
    public long Transfers { get; set; }
}
