using Microsoft.Extensions.DependencyInjection;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The attribute in silos that configure no phases, and transactions that a client begins.</summary>
public sealed class DeadlineAgentsTests(TwoSilos silos)
{
    private static readonly TimeSpan s_late = TimeSpan.FromMilliseconds(600);

    // Seen to fail with requests that take the agent of the silo's own services: the transfer committed.
    [Fact]
    public async Task Transfer_LateInASiloWithScalableTimersAlone_IsAborted()
    {
        Assert.IsNotType<PhasedTransactionAgent>(
            silos.First.ServiceProvider.GetRequiredService<ITransactionAgent>());
        var (from, to) = NewAccounts();
        var grain = silos.Client.GetGrain<ITransferGrain>(11);
        foreach (var transfer in (Func<Task>[])
        [
            () => grain.TransferInTime(from, to, 10, s_late),
            () => grain.TransferAndTellByValueTask(from, to, 10, s_late).AsTask(),
        ])
        {
            var exception = await Assert.ThrowsAsync<OrleansTransactionTransientFailureException>(
                () => transfer().Guarded("a late transfer ends"));
            Assert.Contains("00:00:00.4000000", exception.Message, StringComparison.Ordinal);
        }

        Assert.Equal(0, await Balance(silos.Client, to));
        Assert.Equal(0, await Balance(silos.Client, from));
    }

    [Fact]
    public async Task Transfer_NothingServesItsDeadline_IsRefusedAndSaysSo()
    {
        await using var cluster = await Clusters.Deploy(
            silos: 1, static (_, silo) => silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions());
        var (from, to) = NewAccounts();

        var exception = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            cluster.Client.GetGrain<ITransferGrain>(0)
                .TransferInTime(from, to, 10, TimeSpan.Zero)
                .Guarded("the transfer is refused"));

        Assert.Contains("AddScalableTimers", exception.Message, StringComparison.Ordinal);
        Assert.Equal(0, await Balance(cluster.Client, to));
        await cluster.StopAllSilosAsync();
    }

    private static (string From, string To) NewAccounts()
    {
        var bank = Guid.NewGuid();
        return ($"{bank}/from", $"{bank}/to");
    }

    private static async Task<int> Balance(IGrainFactory grains, string account)
    {
        for (var attempts = 1; ; attempts++)
        {
            try
            {
                return await grains.GetGrain<IAccountGrain>(account).Balance().Guarded("the balance is known");
            }
            catch (OrleansTransactionTransientFailureException) when (attempts < 20)
            {
                // The account is still cleaning up after what was aborted.
            }
        }
    }
}
