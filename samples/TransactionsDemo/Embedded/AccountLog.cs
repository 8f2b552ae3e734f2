using TransactionsDemo.Bank;

namespace TransactionsDemo.Embedded;

/// <summary>
/// An account's write-ahead log, shortened to a checkpoint whenever it is full. It alone could restore the balance.
/// </summary>
internal sealed class AccountLog
{
    private const int Capacity = 64;

    private readonly List<LogRecord> _records = new(Capacity)
    {
        new LogRecord(LogRecordKind.Checkpoint, 0, BankSettings.OpeningBalance),
    };

    public void Append(LogRecordKind kind, long transaction, long amount = 0)
    {
        if (_records.Count == Capacity)
        {
            Shorten();
        }

        _records.Add(new LogRecord(kind, transaction, amount));
    }

    /// <summary>Computes the balance again, from the records only.</summary>
    public long Replay() => Replay(out _);

    private void Shorten()
    {
        var balance = Replay(out var undecided);
        _records.Clear();
        _records.Add(new LogRecord(LogRecordKind.Checkpoint, 0, balance));
        if (undecided is { } prepared)
        {
            _records.Add(prepared);
        }
    }

    private long Replay(out LogRecord? undecided)
    {
        var balance = 0L;
        undecided = null;
        foreach (var record in _records)
        {
            switch (record.Kind)
            {
                case LogRecordKind.Checkpoint:
                    balance = record.Amount;
                    break;
                case LogRecordKind.Prepared:
                    undecided = record;
                    break;
                default:
                    if (undecided?.Transaction != record.Transaction)
                    {
                        throw new InvalidOperationException(
                            $"The log has a decision on {record.Transaction}, which was not prepared.");
                    }

                    balance += record.Kind == LogRecordKind.Committed ? undecided.Value.Amount : 0;
                    undecided = null;
                    break;
            }
        }

        return balance;
    }
}
