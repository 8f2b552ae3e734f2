namespace TransactionsDemo.Bank;

/// <summary>A teller.</summary>
internal interface ITellerGrain : IGrainWithIntegerKey
{
    /// <summary>Moves money between two accounts, and enters it in the teller's books, or does nothing.</summary>
    [Transaction(TransactionOption.Create)]
    Task Transfer(int from, int to, long amount);

    /// <summary>How many transfers are in the books.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task<long> CountTransfers();
}
