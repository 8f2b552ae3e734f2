using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>Ends the requests to a participant whose callers have given up.</summary>
internal sealed class AbandoningResources(ITransactionalResourceExtension resources, AbandonedRequests abandoned)
    : ITransactionalResourceExtension
{
    public Task<TransactionalStatus> CommitReadOnly(string resource, Guid id, AccessCounter accesses, DateTime time) =>
        CommitReadOnly(resource, id, accesses, time, CancellationToken.None);

    public Task<TransactionalStatus> CommitReadOnly(
        string resource, Guid id, AccessCounter accesses, DateTime time, CancellationToken cancellationToken) =>
        abandoned.End(
            resources.CommitReadOnly(resource, id, accesses, time, cancellationToken), abort: null, cancellationToken);

    public Task Confirm(string resource, Guid id, DateTime time) =>
        Confirm(resource, id, time, CancellationToken.None);

    public Task Confirm(string resource, Guid id, DateTime time, CancellationToken cancellationToken) =>
        abandoned.End(resources.Confirm(resource, id, time, cancellationToken), abort: null, cancellationToken);

    // Of these, Orleans calls the overloads with a token, which forward here without it.
    public Task Prepare(string resource, Guid id, AccessCounter accesses, DateTime time, ParticipantId manager) =>
        abandoned.End(resources.Prepare(resource, id, accesses, time, manager));

    public Task Abort(string resource, Guid id) => abandoned.End(resources.Abort(resource, id));

    public Task Cancel(string resource, Guid id, DateTime time, TransactionalStatus status) =>
        abandoned.End(resources.Cancel(resource, id, time, status));
}
