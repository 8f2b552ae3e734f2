using System.Globalization;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// Passes the deadline of a method to the agent that starts its transaction, and makes the exception for a missed
/// deadline.
/// </summary>
internal static class TransactionDeadline
{
    /// <summary>
    /// A request sets it immediately before it asks for a transaction. The agent takes it before anything is awaited,
    /// so no other code runs between them on this thread.
    /// </summary>
    [ThreadStatic]
    private static TimeSpan? s_pending;

    internal static TimeSpan? TakePending()
    {
        var pending = s_pending;
        s_pending = null;
        return pending;
    }

    /// <summary>Invokes a request that may start a transaction, with its method's deadline.</summary>
    internal static ValueTask<T> Invoke<T>(TransactionRequestBase request, string? deadline, Func<ValueTask<T>> invoke)
    {
        // A request that joins a transaction starts none. A transaction started inside its method belongs to another
        // request.
        if (deadline is null || !request.IsTransactionRequired || request.TransactionInfo is not null)
        {
            return invoke();
        }

        s_pending = Parse(deadline);
        try
        {
            return invoke();
        }
        finally
        {
            s_pending = null;
        }
    }

    internal static OrleansTransactionException Exceeded(string transactionId, TimeSpan deadline)
    {
        // Orleans' own types, so that a client without the plugin can read them.
        var reason =
            $"Transaction {transactionId} was aborted because its deadline of {deadline} had passed when it was to "
                + "be committed. It has had no effect.";
        return new OrleansTransactionTransientFailureException(transactionId, reason, new TimeoutException(reason));
    }

    private static TimeSpan Parse(string deadline) =>
        TimeSpan.TryParse(deadline, CultureInfo.InvariantCulture, out var limit)
        && limit >= TransactionPhaseOptions.Shortest
        && limit <= TransactionPhaseOptions.Longest
            ? limit
            : throw new InvalidOperationException(
                $"The deadline of a {nameof(TransactionWithDeadlineAttribute)} is \"{deadline}\"; it must be a time "
                    + $"between {TransactionPhaseOptions.Shortest} and {TransactionPhaseOptions.Longest}.");
}
