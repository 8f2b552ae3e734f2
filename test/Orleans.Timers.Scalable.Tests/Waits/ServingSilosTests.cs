using Orleans.Timers.Scalable.Transactions.Waits;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Two silos that serve Orleans' static timers.</summary>
[Collection(typeof(Alone))]
public sealed class ServingSilosTests
{
    private const int Transfers = 200;

    [Fact]
    public async Task Transactions_InTwoSilosThatStopOneAfterTheOther_WaitInOurService()
    {
        Assert.Null(StaticTimerSilos.Instance.Current);
        await using var cluster = await Clusters.Deploy(
            silos: 2,
            static (_, silo) => silo
                .AddMemoryGrainStorage(AccountGrain.Storage)
                .UseTransactions()
                .Configure<OrleansTimerOptions>(static options => options.ServeStaticTimers = true)
                .AddScalableTimers());
        var server = StaticTimerSilos.Instance.Current;
        Assert.NotNull(server);

        var bank = Guid.NewGuid();
        var committed = 0;
        await Task.WhenAll(Enumerable.Range(0, Transfers).Select(async i =>
        {
            var grain = cluster.Silos[i % 2].Grains().GetGrain<ITransferGrain>(i);
            try
            {
                await grain.Transfer($"{bank}/{i % 20}", $"{bank}/{20 + (i % 30)}", 1, TimeSpan.Zero);
                Interlocked.Increment(ref committed);
            }
            catch (OrleansTransactionException)
            {
                // Orleans breaks deadlocks by aborting. The test asserts below that some transactions commit.
            }
        })).Guarded("all transfers have an outcome");
        Assert.InRange(committed, Transfers / 2, Transfers);

        // The server takes new timers up to 100 ms after they were made, and the transactions may take less.
        await Eventually.True(() => server.Timers.Served >= committed, "each transaction's timers are served");

        await cluster.Silos[1].StopSiloAsync(stopGracefully: true).Guarded("a silo stops");
        Assert.Same(server, StaticTimerSilos.Instance.Current);
        await cluster.StopAllSilosAsync().Guarded("the other silo stops");
        Assert.Null(StaticTimerSilos.Instance.Current);
        await server.Ended.Guarded("Orleans gets its timers back");
        Assert.Equal(0, server.Timers.Pending);
        Assert.True(await StaticDelays.Delay(TimeSpan.FromMilliseconds(1)).Guarded("Orleans serves its delays"));
    }
}
