using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Orleans.Timers.Scalable.Registration;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Bounds the work of a transaction agent, enforces deadlines, and tells lost callees of an abort.</summary>
/// <remarks>
/// The same agent starts and resolves a transaction, with the same object. So the agent can keep the deadline, in
/// monotonic time, without sending anything.
/// </remarks>
internal sealed partial class PhasedTransactionAgent(
    ITransactionAgent agent, TransactionPhases phases, ILogger<PhasedTransactionAgent> logger)
    : ITransactionAgent
{
    /// <summary>
    /// When transactions started, and how old they may be when they are resolved. The table is weak, so it forgets
    /// them when Orleans does.
    /// </summary>
    private readonly ConditionalWeakTable<TransactionInfo, Start> _started = [];

    /// <summary>Decorates the agent, unless it is decorated already.</summary>
    internal static void AddTo(IServiceCollection services)
    {
        services.TryAddSingleton<TransactionPhases>();
        services.Decorate<ITransactionAgent>(null, static (agent, services) => agent as PhasedTransactionAgent
            ?? new PhasedTransactionAgent(
                agent,
                services.GetRequiredService<TransactionPhases>(),
                services.GetRequiredService<ILogger<PhasedTransactionAgent>>()));
    }

    public async Task<TransactionInfo> StartTransaction(bool readOnly, TimeSpan timeout)
    {
        // Before the first await, because the method has left its deadline for exactly this call.
        var ofMethod = TransactionDeadline.TakePending();
        var begun = phases.Clock.GetTimestamp();

        // Orleans does not limit the transaction to this time, but keeps its locks for at least as long.
        var info = await agent.StartTransaction(readOnly, phases.Bounds.LockTime(timeout, ofMethod));
        if ((ofMethod ?? phases.Bounds.Deadline) is { } limit)
        {
            _started.AddOrUpdate(info, new Start(begun, limit));
        }

        return info;
    }

    public async Task<(TransactionalStatus Status, Exception? exception)> Resolve(TransactionInfo transactionInfo)
    {
        if (_started.TryGetValue(transactionInfo, out var start)
            && phases.Clock.GetElapsedTime(start.Begun) >= start.Deadline)
        {
            // No participant has been asked to prepare, so none can commit, whether or not it hears of the abort.
            phases.Metrics.TimedOut(TransactionPhaseMetrics.Transaction);
            await Abort(transactionInfo);
            throw TransactionDeadline.Exceeded(transactionInfo.Id, start.Deadline);
        }

        var (status, exception) = await agent.Resolve(transactionInfo);
        if (status is TransactionalStatus.TMResponseTimeout or TransactionalStatus.ParticipantResponseTimeout)
        {
            phases.Metrics.TimedOut(TransactionPhaseMetrics.Resolve);
        }

        return (status, exception);
    }

    public async Task Abort(TransactionInfo transactionInfo)
    {
        try
        {
            // First, because a filter may limit how many calls are made at once.
            var abort = agent.Abort(transactionInfo);
            LostCallees.Abort(transactionInfo, phases.Clock);
            await abort;
        }
        catch (Exception exception)
        {
            // The interface says that this method never throws. An exception would hide from the caller why the
            // transaction aborts.
            LogAbortUnheard(logger, transactionInfo.TransactionId, exception);
        }
    }

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "Transaction {TransactionId} was aborted, but not all participants have confirmed it. A participant that does "
            + "not know of the abort keeps its locks until they expire.")]
    private static partial void LogAbortUnheard(ILogger logger, Guid transactionId, Exception exception);

    private sealed record Start(long Begun, TimeSpan Deadline);
}
