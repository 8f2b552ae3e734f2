namespace TransactionsDemo.Bank;

/// <summary>What a bank's own books say.</summary>
/// <param name="Balances">Of every account.</param>
/// <param name="Committed">How many transfers have been committed since it opened.</param>
internal sealed record BankCount(long[] Balances, long Committed);
