using Orleans.Transactions;

namespace Orleans.Timers.Scalable;

/// <summary>The wait of one access for the lock of a state.</summary>
internal sealed class LockWait(Guid transactionId, long begun)
{
    internal Guid TransactionId => transactionId;

    internal long Begun => begun;

    /// <summary>Whether the access has the lock, or has had it.</summary>
    internal bool IsOver { get; set; }

    /// <summary>Whether the access has failed because its wait was too long.</summary>
    internal bool IsAbandoned { get; set; }

    internal void ThrowIfAbandoned(Action<Guid> leaveLock)
    {
        if (IsAbandoned)
        {
            leaveLock(transactionId);
            throw new OrleansCascadingAbortException(transactionId.ToString());
        }
    }

    internal OrleansTransactionException TookTooLong(string state, GrainId grain, TimeSpan limit)
    {
        var reason =
            $"Transaction {transactionId} waited for the lock of the state \"{state}\" of {grain} for longer than "
                + $"{nameof(TransactionPhaseOptions)}.{nameof(TransactionPhaseOptions.LockAcquisition)} ({limit}).";
        return new OrleansTransactionTransientFailureException(
            transactionId.ToString(),
            reason,
            new TimeoutException(reason));
    }
}
