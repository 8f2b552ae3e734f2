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
    ITransactionAgent agent, TransactionPhases phases, LostCallees callees, ILoggerFactory loggers)
    : ITransactionAgent
{
    /// <summary>
    /// When transactions with a deadline started. The table is weak, so it forgets them when Orleans does.
    /// </summary>
    private readonly ConditionalWeakTable<TransactionInfo, object> _begun = [];

    /// <summary>Decorates the agent, unless it is decorated already.</summary>
    internal static void AddTo(IServiceCollection services)
    {
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IConfigurationValidator, TransactionAgentValidator>());
        if (services.Any(static service => service.ServiceType == typeof(ITransactionAgent) && !service.IsKeyedService))
        {
            services.Decorate<ITransactionAgent>(null, static (agent, services) => agent as PhasedTransactionAgent
                ?? new PhasedTransactionAgent(
                    agent,
                    services.GetRequiredService<TransactionPhases>(),
                    services.GetRequiredService<LostCallees>(),
                    services.GetRequiredService<ILoggerFactory>()));
        }
    }

    public async Task<TransactionInfo> StartTransaction(bool readOnly, TimeSpan timeout)
    {
        var begun = phases.Clock.GetTimestamp();

        // Orleans does not limit the transaction to this time, but keeps its locks for at least as long.
        var info = await agent.StartTransaction(readOnly, phases.Bounds.LockTime(timeout));
        if (phases.Bounds.Deadline is not null)
        {
            _begun.AddOrUpdate(info, begun);
        }

        return info;
    }

    public async Task<(TransactionalStatus Status, Exception? exception)> Resolve(TransactionInfo transactionInfo)
    {
        // As long as no participant has been asked to prepare, none can commit, whether or not it hears of the abort.
        if (_begun.TryGetValue(transactionInfo, out var begun)
            && phases.Clock.GetElapsedTime((long)begun) >= phases.Bounds.Deadline)
        {
            phases.Metrics.TimedOut(TransactionPhaseMetrics.Transaction);
            await Abort(transactionInfo);

            // Orleans' own types, so that a client without the plugin can read them.
            var reason =
                $"Transaction {transactionInfo.Id} was aborted because its deadline of {phases.Bounds.Deadline} had "
                    + "passed when it was to be committed. It has had no effect.";
            throw new OrleansTransactionTransientFailureException(
                transactionInfo.Id, reason, new TimeoutException(reason));
        }

        if (phases.Requests?.DeactivatingActivation is { } activation
            && transactionInfo.Participants.Keys.Any(other => other.Reference.GrainId == activation.GrainId))
        {
            await Abort(transactionInfo);
            throw new OrleansTransactionTransientFailureException(
                transactionInfo.Id,
                $"Transaction {transactionInfo.Id} was aborted because {activation.GrainId}, which began it and takes "
                    + "part in it, deactivates before the commit. It has had no effect.",
                null);
        }

        var (status, exception) = await Bounded(agent.Resolve(transactionInfo), transactionInfo);
        if (status is TransactionalStatus.TMResponseTimeout or TransactionalStatus.ParticipantResponseTimeout)
        {
            phases.Metrics.TimedOut(TransactionPhaseMetrics.Resolve);
        }

        return (status, exception);
    }

    /// <summary>
    /// Ends the wait for participants that only read, if the grain whose method began the transaction deactivates: one
    /// of them may be that grain, which gets no message before this method ends.
    /// </summary>
    private async Task<(TransactionalStatus Status, Exception? Exception)> Bounded(
        Task<(TransactionalStatus Status, Exception? Exception)> resolving, TransactionInfo transaction)
    {
        if (phases.Requests is null || transaction.Participants.Values.Any(static accesses => accesses.Writes > 0))
        {
            return await resolving;
        }

        try
        {
            return await phases.Requests.End(resolving, abort: null, CancellationToken.None);
        }
        catch (TimeoutException timeout)
        {
            return (TransactionalStatus.ParticipantResponseTimeout, timeout);
        }
    }

    public async Task Abort(TransactionInfo transactionInfo)
    {
        try
        {
            // First, because a filter may limit how many calls are made at once.
            var abort = agent.Abort(transactionInfo);
            callees.Abort(transactionInfo, phases.Clock);

            // A participant may be the grain itself, which gets no message while it deactivates.
            await (phases.Requests?.End(abort) ?? abort);
        }
        catch (Exception exception)
        {
            // The interface says that this method never throws. An exception would hide from the caller why the
            // transaction aborts.
            LogAbortUnheard(PluginLog.Of<PhasedTransactionAgent>(loggers), transactionInfo.TransactionId, exception);
        }
    }

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "Transaction {TransactionId} was aborted, but not all participants have confirmed it. A participant that does "
            + "not know of the abort keeps its locks until they expire.")]
    private static partial void LogAbortUnheard(ILogger logger, Guid transactionId, Exception exception);
}
