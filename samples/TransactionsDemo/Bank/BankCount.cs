namespace TransactionsDemo.Bank;

/// <summary>The counts in a bank's own books.</summary>
/// <param name="Balances">The balance of every account.</param>
/// <param name="Committed">How many transfers have been committed since it opened.</param>
internal sealed record BankCount(long[] Balances, long Committed);
