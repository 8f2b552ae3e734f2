using TransactionsDemo.Bank;

namespace TransactionsDemo.Load;

/// <summary>The expected balances of a bank, computed from the outcomes that its customers got.</summary>
internal sealed class Ledger
{
    private readonly long[] _balances;
    private long _committed;

    public Ledger(BankSettings settings)
    {
        _balances = new long[settings.Accounts];
        Array.Fill(_balances, BankSettings.OpeningBalance);
    }

    /// <summary>Notes a transfer that was committed. May be called from any thread.</summary>
    public void Enter(Transfer transfer)
    {
        Interlocked.Add(ref _balances[transfer.From], -transfer.Amount);
        Interlocked.Add(ref _balances[transfer.To], transfer.Amount);
        Interlocked.Increment(ref _committed);
    }

    /// <summary>Compares with what the bank has counted.</summary>
    /// <returns>A sentence for each difference.</returns>
    public IEnumerable<string> Check(BankCount count)
    {
        var missing = _balances.Sum() - count.Balances.Sum();
        if (missing != 0)
        {
            yield return missing > 0
                ? $"{missing:N0} of {_balances.Sum():N0} units of money are missing."
                : $"There are {-missing:N0} more units of money than the {_balances.Sum():N0} there were.";
        }

        var wrong = Enumerable.Range(0, _balances.Length)
            .Where(account => count.Balances[account] != _balances[account])
            .ToList();
        if (wrong is [var first, ..])
        {
            yield return $"{wrong.Count:N0} accounts hold what their transfers do not make: "
                + $"account {first} holds {count.Balances[first]:N0} instead of {_balances[first]:N0}.";
        }

        if (count.Committed != _committed)
        {
            yield return $"The bank has committed {count.Committed:N0} transfers, its customers know of "
                + $"{_committed:N0}.";
        }
    }
}
