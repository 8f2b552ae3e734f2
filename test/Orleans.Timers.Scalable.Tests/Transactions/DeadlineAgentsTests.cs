using Microsoft.Extensions.DependencyInjection;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The attribute in silos that configure no phases, and transactions that a client begins.</summary>
public sealed class DeadlineAgentsTests(TwoSilos silos)
{
    private static readonly TimeSpan s_late = TimeSpan.FromMilliseconds(400);

    // Seen to fail with requests that take the agent of the silo's own services: the transfer committed.
    [Fact]
    public async Task Transfer_LateInASiloWithScalableTimersAlone_IsAborted()
    {
        Assert.IsNotType<PhasedTransactionAgent>(
            silos.First.ServiceProvider.GetRequiredService<ITransactionAgent>());
        var accounts = new TwoAccounts(silos.Client);
        var grain = silos.Client.GetGrain<ITransferGrain>(11);
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
    }

    [Fact]
    public async Task Transfer_NothingServesItsDeadline_IsRefusedAndSaysSo()
    {
        await using var cluster = await Clusters.Deploy(
            silos: 1, static (_, silo) => silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions());
        var accounts = new TwoAccounts(cluster.Client);

        var exception = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            cluster.Client.GetGrain<ITransferGrain>(0)
                .TransferInTime(accounts.From, accounts.To, 10, TimeSpan.Zero)
                .Guarded("the transfer is refused"));

        Assert.Contains("AddScalableTimers", exception.Message, StringComparison.Ordinal);
        await accounts.AssertMoved(0);
        await cluster.StopAllSilosAsync();
    }
}
