using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using Orleans.Timers.Scalable.Transactions.Waits;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Of the static timers of transactional states, only those that can do anything are kept.</summary>
[Collection(typeof(Alone))]
public sealed class SupersededTimersTests
{
    private const int Accounts = 20;

    private static ServedTimers Timers => StaticTimerSilos.Instance.Current!.Timers;

    // Seen to fail without the tokens: none is dropped, and hundreds are pending.
    [Fact]
    public async Task Transfers_ManyOfAFewAccounts_LeaveAtMostTheNewestTimersOfEachWorker()
    {
        await using var cluster = await Deploy(silo => silo.AddScalableTimers().UseTransactions());
        var accounts = NewAccounts(cluster, Accounts);
        for (var round = 0; round < 10; round++)
        {
            await Task.WhenAll(Enumerable.Range(0, Accounts / 2).Select(i =>
                accounts[2 * i].MoveTo(accounts[(2 * i) + 1], 1))).Guarded("the transfers commit");
        }

        // A timer in another list may be kept beside a newer one until the next comes.
        await Eventually.True(
            () => Timers.Dropped > 0 && Timers.Pending <= 2 * 2 * Accounts,
            $"only new timers are kept: {Timers.Pending} of {Timers.Served} are pending");
        Assert.Equal(10, await accounts[1].Balance());
    }

    // The lock worker's newest delay ends each wait.
    [Fact]
    public async Task LockWaits_OfManyStates_EachEndsOnTimeByItsOwnDelay()
    {
        const int States = 200;
        await using var cluster = await Deploy(static silo => silo
            .AddScalableTimers()
            .ConfigureTransactionPhases(static phases =>
                (phases.UseFastRecovery, phases.LockAcquisition) = (true, HangGuard.Limit)));
        var accounts = NewAccounts(cluster, States);
        await Task.WhenAll(accounts.Select(static account => account.Balance())).Guarded("the accounts are active");
        var gate = Guid.NewGuid();

        // Each holds its account's lock until that is broken, and another waits behind it. Nobody sends a message.
        var holders = accounts.Select(account => account.AddLate(1, gate)).ToList();
        await Eventually.True(() => Gate.Of(gate).Arrivals == States, "all locks are held");
        var start = Stopwatch.GetTimestamp();
        var waits = await Task.WhenAll(accounts.Select(async account =>
        {
            await account.Add(10);
            return Stopwatch.GetElapsedTime(start);
        })).Guarded("all get the lock");

        // A lock is kept for two seconds.
        Assert.All(waits, static wait => Assert.InRange(wait, TimeSpan.FromSeconds(0.5), HangGuard.Limit));
        Gate.Of(gate).Open(1);
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() => Task.WhenAll(holders));
    }

    // Commit operations of services have queues of the same kind.
    [Fact]
    public async Task Committer_CommitsAgainAndAgain_ItsTimersAreDropped()
    {
        await using var cluster = await Deploy(static silo =>
        {
            silo.UseTransactions().AddScalableTimers();
            silo.Services.AddKeyedSingleton(CommittingGrain.Service, new object());
        });
        var grain = cluster.Client.GetGrain<ICommittingGrain>(0);
        for (var i = 0; i < 10; i++)
        {
            await grain.Commit().Guarded("it commits");
        }

        await Eventually.True(() => Timers.Dropped > 0, "timers are dropped");
    }

    private static Task<InProcessTestCluster> Deploy(Action<ISiloBuilder> configure) => Clusters.Deploy(
        silos: 2,
        (_, silo) =>
        {
            silo.AddMemoryGrainStorage(AccountGrain.Storage);
            configure(silo);
            silo.Configure<OrleansTimerOptions>(static options => options.ServeStaticTimers = true);
        });

    private static List<IAccountGrain> NewAccounts(InProcessTestCluster cluster, int count) =>
        [.. Enumerable.Range(0, count).Select(_ => cluster.Client.GetGrain<IAccountGrain>($"{Guid.NewGuid()}"))];
}

public interface ICommittingGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Create)]
    Task Commit();
}

internal sealed class CommittingGrain(
    [TransactionCommitter(CommittingGrain.Service, AccountGrain.Storage)] ITransactionCommitter<object> committer)
    : Grain, ICommittingGrain
{
    internal const string Service = "service";

    public Task Commit() => committer.OnCommit(new Nothing());

    [GenerateSerializer]
    internal sealed class Nothing : ITransactionCommitOperation<object>
    {
        public Task<bool> Commit(Guid transactionId, object service) => Task.FromResult(true);
    }
}
