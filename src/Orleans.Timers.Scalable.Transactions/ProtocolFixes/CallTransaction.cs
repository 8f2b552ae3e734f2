using Orleans.Serialization;
using Orleans.Timers.Scalable.Calls;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>The transaction that a call is made in. It fails when the caller gives up the call.</summary>
/// <remarks>
/// A call inside a transaction carries a fork of the transaction. The answer brings the fork back, with the
/// participants. Orleans' own response timeout ends the call, so the fork does not come back, and a transaction with an
/// outstanding fork does not commit. A call that the plugin gives up continues for Orleans, and its answer may come
/// back before the transaction ends. The transaction would then commit an effect that the caller believes did not
/// happen.
/// </remarks>
internal sealed class CallTransaction(
    TransactionInfo transaction, Serializer<OrleansTransactionAbortedException> serializer) : ICallTransaction
{
    public void Fail(string reason)
    {
        // This fork never comes back.
        transaction.Fork();

        // A fork counts only in the current method. If the caller of that method catches the exception and continues,
        // the recorded exception keeps the rest from committing.
        Record(
            transaction,
            new TimeoutException($"{reason} The transaction that made the call can no longer commit."),
            serializer);
    }

    /// <summary>
    /// Records the exception that aborts the transaction, unless one is already recorded. Does not throw.
    /// </summary>
    internal static void Record(
        TransactionInfo transaction, Exception exception, Serializer<OrleansTransactionAbortedException> serializer)
    {
        if (!TryRecord(transaction, exception, serializer))
        {
            // The exception cannot be serialized, but the transaction must still record that there was one.
            TryRecord(
                transaction, new OrleansTransactionAbortedException(transaction.Id, exception.Message), serializer);
        }
    }

    private static bool TryRecord(
        TransactionInfo transaction, Exception exception, Serializer<OrleansTransactionAbortedException> serializer)
    {
        try
        {
            transaction.RecordException(exception, serializer);
            return true;
        }
#pragma warning disable CA1031 // A serializer may throw anything.
        catch (Exception)
#pragma warning restore CA1031
        {
            return false;
        }
    }
}
