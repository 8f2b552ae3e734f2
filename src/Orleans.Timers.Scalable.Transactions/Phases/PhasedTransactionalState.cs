using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Bounds the waits for the lock of a transactional state.</summary>
/// <remarks>
/// Orleans checks a waiter's deadline only when the transactions before it have left. Here the wait itself ends. Its
/// place in the queue cannot be given up. So when its turn comes, the function does not run, and the message that tells
/// participants of an abort releases the lock. All of this runs on the activation's scheduler, one step at a time.
/// </remarks>
internal sealed class PhasedTransactionalState<TState>(
    ITransactionalState<TState> state,
    string name,
    TransactionPhases phases,
    AbandonedRequests requests,
    TimeSpan limit,
    IGrainContext context)
    : ITransactionalState<TState>
    where TState : class, new()
{
    public Task<TResult> PerformRead<TResult>(Func<TState, TResult> readFunction) =>
        Perform(readFunction, isUpdate: false);

    public Task<TResult> PerformUpdate<TResult>(Func<TState, TResult> updateFunction) =>
        Perform(updateFunction, isUpdate: true);

    private Task<TResult> Perform<TResult>(Func<TState, TResult> function, bool isUpdate)
    {
        ArgumentNullException.ThrowIfNull(function);
        var wait = new LockWait(TransactionContext.GetRequiredTransactionInfo().TransactionId);
        var access = isUpdate ? state.PerformUpdate(Enter) : state.PerformRead(Enter);
        return access.IsCompleted ? access : Bound(access, wait);

        TResult Enter(TState current)
        {
            if (wait.IsAbandoned)
            {
                LeaveLock(wait.TransactionId);
                throw new OrleansCascadingAbortException(wait.TransactionId.ToString());
            }

            wait.IsOver = true;
            return function(current);
        }
    }

    private async Task<TResult> Bound<TResult>(Task<TResult> access, LockWait wait)
    {
        // An activation that deactivates gets no message that would free the lock.
        var deactivates = await requests.Wait(access, limit, context);

        // The access may have ended while the wait gave up. One that has the lock is not bounded: for the rest of its
        // time, Orleans cleans up after other transactions.
        if (access.IsCompleted || wait.IsOver)
        {
            return await access;
        }

        wait.IsAbandoned = true;
        access.Ignore();
        phases.Metrics.TimedOut(TransactionPhaseMetrics.LockAcquisition);
        const string Bound = $"{nameof(TransactionPhaseOptions)}.{nameof(TransactionPhaseOptions.LockAcquisition)}";
        var reason =
            $"Transaction {wait.TransactionId} did not get the lock of state \"{name}\" of {context.GrainId} "
            + (deactivates
                ? "before the grain deactivates."
                : $"within {Bound} ({limit}).");
        throw new OrleansTransactionTransientFailureException(
            wait.TransactionId.ToString(), reason, new TimeoutException(reason));
    }

    private void LeaveLock(Guid transactionId) =>
        context.GrainReference.AsReference<ITransactionalResourceExtension>().Abort(name, transactionId).Ignore();

    /// <summary>The wait of one access.</summary>
    private sealed class LockWait(Guid transactionId)
    {
        internal Guid TransactionId => transactionId;

        /// <summary>Whether the access has, or has had, the lock.</summary>
        internal bool IsOver { get; set; }

        /// <summary>Whether the access has failed because its wait took too long.</summary>
        internal bool IsAbandoned { get; set; }
    }
}
