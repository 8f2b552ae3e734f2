namespace TransactionsDemo.OnOrleans;

/// <summary>An account.</summary>
internal interface IAccountGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Create)]
    Task OpenAsync(long balance);

    /// <summary>Adds to the balance, or takes from it.</summary>
    /// <returns>False, and nothing is changed, if there is not enough.</returns>
    [Transaction(TransactionOption.Join)]
    Task<bool> ChangeAsync(long amount);

    [Transaction(TransactionOption.Create)]
    Task<long> ReadBalanceAsync();

    /// <summary>
    /// Acts like a <see cref="ChangeAsync"/> whose answer is lost: does nothing until nobody waits for the answer any
    /// more.
    /// </summary>
    Task LoseAnswerAsync();
}
