using Microsoft.Extensions.Logging;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable;

/// <summary>
/// Bounds and measures the work of a silo's transaction agent, and enforces the deadlines of transactions.
/// </summary>
/// <remarks>
/// The same agent starts and resolves a transaction, with the same object. So the agent can keep the deadline, by
/// monotonic time, and nothing is sent.
/// </remarks>
internal sealed partial class PhasedTransactionAgent(
    ITransactionAgent agent, TransactionPhases phases, ILogger<PhasedTransactionAgent> logger)
    : ITransactionAgent
{
    private readonly StartedTransactions _started = new(phases.Clock);

    public Task<TransactionInfo> StartTransaction(bool readOnly, TimeSpan timeout)
    {
        // Before anything is awaited, because the method has left its deadline for this very call.
        var deadline = TransactionDeadline.TakePending() ?? phases.Bounds.Deadline;
        var begun = phases.Clock.GetTimestamp();

        // Orleans does not read its timeout yet. When it does, it should find this one.
        var start = agent.StartTransaction(readOnly, deadline ?? timeout);
        return start.IsCompletedSuccessfully
            ? Task.FromResult(Begin(start.Result, begun, deadline))
            : BeginLater(start, begun, deadline);
    }

#pragma warning disable CS8613 // Older versions of Orleans do not say that the exception may be null.
    public async Task<(TransactionalStatus Status, Exception? exception)> Resolve(TransactionInfo transactionInfo)
#pragma warning restore CS8613
    {
        var begun = phases.Clock.GetTimestamp();
        if (_started.IsLate(transactionInfo, out var deadline))
        {
            // No participant has been asked to prepare, so none can commit, whether or not it hears of the abort.
            phases.Metrics.TimedOut(TransactionPhase.Transaction);
            await Abort(transactionInfo);
            throw TransactionDeadline.Exceeded(transactionInfo.Id, deadline);
        }

        try
        {
            var resolve = agent.Resolve(transactionInfo);
            var (status, exception) = await resolve.EndsWithin(phases.Bounds.Commit, phases.Clock)
                ? await resolve
                : GiveUp(transactionInfo, resolve);
            if (status is TransactionalStatus.TMResponseTimeout or TransactionalStatus.ParticipantResponseTimeout)
            {
                phases.Metrics.TimedOut(TransactionPhase.Resolve);
            }

            return (status, exception);
        }
        finally
        {
            phases.Measure(TransactionPhase.Resolve, begun);
            End(transactionInfo);
        }
    }

    public async Task Abort(TransactionInfo transactionInfo)
    {
        var begun = phases.Clock.GetTimestamp();
        try
        {
            var abort = agent.Abort(transactionInfo);
            if (await abort.EndsWithin(phases.Bounds.Abort, phases.Clock))
            {
                await abort;
            }
            else
            {
                abort.Ignore();
                phases.Metrics.TimedOut(TransactionPhase.Abort);
                LogAbortUnheard(logger, transactionInfo.TransactionId, phases.Bounds.Abort, exception: null);
            }
        }
        catch (Exception exception)
        {
            // The interface says that this method throws nothing. An exception would hide from the caller why the
            // transaction aborts.
            if (exception is TimeoutException)
            {
                phases.Metrics.TimedOut(TransactionPhase.Abort);
            }

            LogAbortUnheard(logger, transactionInfo.TransactionId, bound: null, exception);
        }
        finally
        {
            phases.Measure(TransactionPhase.Abort, begun);
            End(transactionInfo);
        }
    }

    private async Task<TransactionInfo> BeginLater(Task<TransactionInfo> start, long begun, TimeSpan? deadline)
    {
        if (await start.EndsWithin(phases.Bounds.Start, phases.Clock))
        {
            return Begin(await start, begun, deadline);
        }

        start.Ignore();
        phases.Metrics.TimedOut(TransactionPhase.Start);
        throw new OrleansStartTransactionFailedException(
            new TimeoutException(
                "The transaction did not start within "
                    + $"{nameof(TransactionPhaseOptions)}.{nameof(TransactionPhaseOptions.Start)} "
                    + $"({phases.Bounds.Start})."));
    }

    private TransactionInfo Begin(TransactionInfo info, long begun, TimeSpan? deadline)
    {
        phases.Measure(TransactionPhase.Start, begun);
        if (deadline is not null || phases.IsMeasuring)
        {
            _started.Add(info, begun, deadline);
        }

        return info;
    }

    private void End(TransactionInfo info)
    {
        if (_started.Remove(info, out var begun))
        {
            phases.Measure(TransactionPhase.Transaction, begun);
        }
    }

    private (TransactionalStatus Status, Exception Exception) GiveUp(TransactionInfo info, Task resolve)
    {
        resolve.Ignore();
        var exception = new TimeoutException(
            "The transaction was not resolved within "
                + $"{nameof(TransactionPhaseOptions)}.{nameof(TransactionPhaseOptions.Commit)} "
                + $"({phases.Bounds.Commit}).");

        // A transaction that has written may still commit, so it is in doubt. A transaction that has only read has no
        // effect either way.
        var hasWritten = info.Participants.Values.Any(static accesses => accesses.Writes > 0);
        var status = hasWritten
            ? TransactionalStatus.TMResponseTimeout
            : TransactionalStatus.ParticipantResponseTimeout;
        return (status, exception);
    }

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "Transaction {TransactionId} was aborted, but not all participants have confirmed it (bound: {Bound}). A "
            + "participant that does not know of the abort keeps its locks until they expire.")]
    private static partial void LogAbortUnheard(
        ILogger logger,
        Guid transactionId,
        TimeSpan? bound,
        Exception? exception);
}
