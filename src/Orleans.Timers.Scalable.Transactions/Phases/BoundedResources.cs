using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Bounds how long the requests of transactions run in a participant.</summary>
internal sealed class BoundedResources(ITransactionalResourceExtension resources, TransactionPhases phases)
    : ITransactionalResourceExtension
{
    public Task<TransactionalStatus> CommitReadOnly(string resource, Guid id, AccessCounter accesses, DateTime time) =>
        CommitReadOnly(resource, id, accesses, time, CancellationToken.None);

    public Task<TransactionalStatus> CommitReadOnly(
        string resource, Guid id, AccessCounter accesses, DateTime time, CancellationToken cancellationToken) =>
        phases.Bound(resources.CommitReadOnly(resource, id, accesses, time, cancellationToken), cancellationToken);

    public Task Confirm(string resource, Guid id, DateTime time) =>
        Confirm(resource, id, time, CancellationToken.None);

    public Task Confirm(string resource, Guid id, DateTime time, CancellationToken cancellationToken) =>
        phases.Bound(resources.Confirm(resource, id, time, cancellationToken));

    // Of these, Orleans calls the overloads with a token, which forward here without it.
    public Task Prepare(string resource, Guid id, AccessCounter accesses, DateTime time, ParticipantId manager) =>
        phases.Bound(resources.Prepare(resource, id, accesses, time, manager));

    public Task Abort(string resource, Guid id) => phases.Bound(resources.Abort(resource, id));

    public Task Cancel(string resource, Guid id, DateTime time, TransactionalStatus status) =>
        phases.Bound(resources.Cancel(resource, id, time, status));
}
