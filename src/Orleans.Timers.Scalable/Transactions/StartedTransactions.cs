using System.Runtime.CompilerServices;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable;

/// <summary>Knows when the transactions of an agent started, and how old they may be when they are resolved.</summary>
/// <remarks>
/// The table is weak, because a transaction whose method fails between start and resolution never comes back.
/// </remarks>
internal sealed class StartedTransactions(TimeProvider clock)
{
    private readonly ConditionalWeakTable<TransactionInfo, Start> _starts = [];

    internal void Add(TransactionInfo info, long begun, TimeSpan? deadline) =>
        _starts.AddOrUpdate(info, new Start(begun, deadline));

    internal bool IsLate(TransactionInfo info, out TimeSpan deadline)
    {
        if (_starts.TryGetValue(info, out var start)
            && start.Deadline is { } limit
            && clock.GetElapsedTime(start.Begun) >= limit)
        {
            deadline = limit;
            return true;
        }

        deadline = default;
        return false;
    }

    internal bool Remove(TransactionInfo info, out long begun)
    {
        begun = _starts.TryGetValue(info, out var start) ? start.Begun : 0;
        return _starts.Remove(info);
    }

    private sealed record Start(long Begun, TimeSpan? Deadline);
}
