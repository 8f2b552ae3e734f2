using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Ends the commits of transactions that only read when their callers have given up.</summary>
internal sealed class AwaitedCommits(ITransactionalResourceExtension resources, TransactionPhases phases)
    : ITransactionalResourceExtension
{
    // Orleans calls the overloads with a token, which forward to these, and never passes one.
    public Task<TransactionalStatus> CommitReadOnly(string resource, Guid id, AccessCounter accesses, DateTime time) =>
        phases.WhileAwaited(resources.CommitReadOnly(resource, id, accesses, time));

    public Task Abort(string resource, Guid id) => resources.Abort(resource, id);

    public Task Cancel(string resource, Guid id, DateTime time, TransactionalStatus status) =>
        resources.Cancel(resource, id, time, status);

    public Task Confirm(string resource, Guid id, DateTime time) => resources.Confirm(resource, id, time);

    public Task Prepare(string resource, Guid id, AccessCounter accesses, DateTime time, ParticipantId manager) =>
        resources.Prepare(resource, id, accesses, time, manager);
}
