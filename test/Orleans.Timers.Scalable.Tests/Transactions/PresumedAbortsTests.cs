using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What reaches Orleans' managers of what participants and agents ask.</summary>
public sealed class PresumedAbortsTests
{
    private static readonly AccessCounter s_count = new() { Reads = 1, Writes = 1 };

    private readonly Guid _transaction = Guid.NewGuid();
    private readonly FakeManagers _managers = new();
    private readonly ManualTimeProvider _clock = new();
    private readonly ITransactionManagerExtension _guarded;

    public PresumedAbortsTests() =>
        _guarded = new PresumedAborts(_managers, VirtualRequests.Create(_clock, TimeSpan.FromMinutes(1)));

    [Fact]
    public async Task PrepareAndCommit_AParticipantHasAsked_CanNotCommit()
    {
        await Ask();
        _ = Commit();

        Assert.Equal(1, _managers.Pings);
        Assert.Equal([-1], _managers.Counts.Select(static count => count.Reads));
    }

    // Seen to fail without the sweep, and when the second question counted: the commit is still refused.
    [Fact]
    public async Task PrepareAndCommit_AParticipantAskedLongAgo_IsPassedOn()
    {
        await Ask();
        _clock.Advance(TimeSpan.FromMinutes(5));
        await Ask();
        _clock.Advance(TimeSpan.FromMinutes(5.1));
        await _guarded.Ping("state", Guid.NewGuid(), DateTime.UtcNow, default, CancellationToken.None);
        _ = Commit();

        Assert.Equal([s_count], _managers.Counts);
    }

    // Seen to fail when each question looked at all that were remembered: one of them took 541 µs after 20,000.
    [Fact]
    public async Task Ping_ManyAreRemembered_LooksAtTheOldestOnly()
    {
        var (clock, readings) = (new HandClock(), 0);
        clock.Reading = () => readings++;
        var guarded = new PresumedAborts(_managers, VirtualRequests.Create(clock, TimeSpan.FromMinutes(1)));
        for (var i = 0; i < 1000; i++)
        {
            await guarded.Ping("state", Guid.NewGuid(), DateTime.UtcNow, default);
        }

        Assert.InRange(readings, 1, 2000);
    }

    [Fact]
    public async Task Ping_WhileTheManagerDecides_IsIgnored()
    {
        var commit = Commit();
        await Ask();
        Assert.Equal(0, _managers.Pings);

        _managers.Commit.SetResult(TransactionalStatus.Ok);
        await commit;
        await Ask();
        Assert.Equal(1, _managers.Pings);
    }

    [Fact]
    public async Task Ping_TheManagerHasThrown_IsAnswered()
    {
        var commit = Commit();
        _managers.Commit.SetException(new TimeoutException());
        await Assert.ThrowsAsync<TimeoutException>(() => commit);
        await Ask();

        // By then Orleans reads again what it has stored.
        Assert.Equal(1, _managers.Pings);
    }

    [Fact]
    public async Task PrepareAndCommit_CallerHasGivenUp_EndsButStillDecides()
    {
        using var givenUp = new CancellationTokenSource();
        var commit = Commit(givenUp.Token);
        await givenUp.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => commit);
        await Ask();
        Assert.Equal(0, _managers.Pings);

        _managers.Commit.SetResult(TransactionalStatus.Ok);
        await Ask();
        Assert.Equal(1, _managers.Pings);
    }

    [Fact]
    public async Task PrepareAndCommit_AsLongAsAnyCallerWaits_EndsButStillDecides()
    {
        var commit = Commit();
        _clock.Advance(TimeSpan.FromSeconds(59));
        Assert.False(commit.IsCompleted);

        _clock.Advance(TimeSpan.FromSeconds(1));
        await Assert.ThrowsAsync<TimeoutException>(() => commit.Guarded("the commit ends"));
        await Ask();
        Assert.Equal(0, _managers.Pings);
    }

    // Orleans' requests call the overloads with a token.
    private Task<TransactionalStatus> Commit(CancellationToken cancellationToken = default) =>
        _guarded.PrepareAndCommit("state", _transaction, s_count, DateTime.UtcNow, [], 2, cancellationToken);

    private Task Ask() =>
        _guarded.Ping("state", _transaction, DateTime.UtcNow, default, CancellationToken.None);

    private sealed class FakeManagers : ITransactionManagerExtension
    {
        internal TaskCompletionSource<TransactionalStatus> Commit { get; } = new();

        internal List<AccessCounter> Counts { get; } = [];

        internal int Pings { get; private set; }

        public Task<TransactionalStatus> PrepareAndCommit(
            string resourceId,
            Guid transactionId,
            AccessCounter accessCount,
            DateTime timeStamp,
            List<ParticipantId> writeResources,
            int totalParticipants)
        {
            Counts.Add(accessCount);
            return Commit.Task;
        }

        public Task Prepared(
            string resourceId,
            Guid transactionId,
            DateTime timestamp,
            ParticipantId resource,
            TransactionalStatus status) => Task.CompletedTask;

        public Task Ping(string resourceId, Guid transactionId, DateTime timeStamp, ParticipantId resource)
        {
            Pings++;
            return Task.CompletedTask;
        }
    }
}
