using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>How long the requests of a transaction run in a participant whose state does not answer.</summary>
/// <remarks>Seen to fail for each request that was passed on without a bound.</remarks>
public sealed class AbandoningResourcesTests
{
    private readonly ManualTimeProvider _clock = new();
    private readonly UnansweredResources _resources = new();
    private readonly ITransactionalResourceExtension _bounded;

    public AbandoningResourcesTests() =>
        _bounded = new AbandoningResources(_resources, VirtualRequests.Create(_clock, TimeSpan.FromMinutes(1)));

    [Theory]
    [InlineData(nameof(ITransactionalResourceExtension.CommitReadOnly))]
    [InlineData(nameof(ITransactionalResourceExtension.Prepare))]
    [InlineData(nameof(ITransactionalResourceExtension.Confirm))]
    [InlineData(nameof(ITransactionalResourceExtension.Abort))]
    [InlineData(nameof(ITransactionalResourceExtension.Cancel))]
    public async Task Request_StateDoesNotAnswer_EndsAfterTheResponseTimeout(string name)
    {
        var request = Request(name);
        _clock.Advance(TimeSpan.FromSeconds(59));
        Assert.False(request.IsCompleted);

        _clock.Advance(TimeSpan.FromSeconds(1));
        await Assert.ThrowsAsync<TimeoutException>(() => request.Guarded("the request ends"));
        Assert.Equal([name], _resources.Requests);
    }

    // Orleans' requests call the overloads with a token.
    private Task Request(string name)
    {
        var (id, time, token) = (Guid.NewGuid(), DateTime.UtcNow, CancellationToken.None);
        return name switch
        {
            nameof(_bounded.CommitReadOnly) => _bounded.CommitReadOnly("state", id, default, time, token),
            nameof(_bounded.Prepare) => _bounded.Prepare("state", id, default, time, default, token),
            nameof(_bounded.Confirm) => _bounded.Confirm("state", id, time, token),
            nameof(_bounded.Abort) => _bounded.Abort("state", id, token),
            _ => _bounded.Cancel("state", id, time, TransactionalStatus.BrokenLock, token),
        };
    }

    private sealed class UnansweredResources : ITransactionalResourceExtension
    {
        internal List<string> Requests { get; } = [];

        public Task<TransactionalStatus> CommitReadOnly(
            string resourceId, Guid transactionId, AccessCounter accessCount, DateTime timeStamp) =>
            Never(nameof(CommitReadOnly));

        public Task Prepare(
            string resourceId, Guid transactionId, AccessCounter accessCount, DateTime timeStamp,
            ParticipantId transactionManager) => Never(nameof(Prepare));

        public Task Confirm(string resourceId, Guid transactionId, DateTime timeStamp) => Never(nameof(Confirm));

        public Task Abort(string resourceId, Guid transactionId) => Never(nameof(Abort));

        public Task Cancel(
            string resourceId, Guid transactionId, DateTime timeStamp, TransactionalStatus status) =>
            Never(nameof(Cancel));

        private Task<TransactionalStatus> Never(string request)
        {
            Requests.Add(request);
            return new TaskCompletionSource<TransactionalStatus>().Task;
        }
    }
}
