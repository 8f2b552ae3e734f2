using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The attribute in a silo that configures nothing of the plugin.</summary>
public sealed class DeadlineAgentsTests
{
    /// <summary>Longer than the deadline, because .NET's timers are early by some milliseconds.</summary>
    private static readonly TimeSpan s_late = TimeSpan.FromMilliseconds(500);

    // Seen to fail when requests take the agent from the silo's own services: the transfer committed.
    [Fact]
    public async Task Transfer_LateInASiloWithTransactionsAlone_IsAborted()
    {
        await using var cluster = await Clusters.Deploy(
            silos: 1, static (_, silo) => silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions());
        var accounts = new TwoAccounts(cluster.Client);
        var grain = cluster.Client.GetGrain<ITransferGrain>(11);
        foreach (var transfer in (Func<Task>[])
        [
            () => grain.TransferInTime(accounts.From, accounts.To, 10, s_late),
            () => grain.TransferAndTellByValueTask(accounts.From, accounts.To, 10, s_late).AsTask(),
        ])
        {
            var exception = await Assert.ThrowsAsync<OrleansTransactionTransientFailureException>(
                () => transfer().Guarded("a late transfer ends"));
            Assert.Contains("00:00:00.4000000", exception.Message, StringComparison.Ordinal);
        }

        await accounts.AssertMoved(0);
        await cluster.StopAllSilosAsync();
    }
}
