using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
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
        var grain = silos.Cluster.Client.GetGrain<ITimedTransferGrain>(11);
        foreach (var transfer in (Func<Task>[])
        [
            () => grain.Transfer(from, to, 10, s_late),
            () => grain.TransferAndTell(from, to, 10, s_late),
            () => grain.TransferByValueTask(from, to, 10, s_late).AsTask(),
            () => grain.TransferAndTellByValueTask(from, to, 10, s_late).AsTask(),
        ])
        {
            var exception = await Assert.ThrowsAsync<OrleansTransactionTransientFailureException>(
                () => transfer().Guarded("a late transfer ends"));
            Assert.Contains("00:00:00.4000000", exception.Message, StringComparison.Ordinal);
        }

        Assert.Equal(0, await Balance(silos.Cluster.Client, to));
        Assert.Equal(0, await Balance(silos.Cluster.Client, from));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Transfer_NothingServesItsDeadline_IsRefusedAndSaysSo(bool clientUsesTransactions)
    {
        await using var cluster = await Deploy(
            static silo => silo.UseTransactions().Services.AddScoped<IGrainDelay, NoGrainDelay>(),
            client => _ = clientUsesTransactions ? client.UseTransactions() : client);
        var (from, to) = NewAccounts();

        var exception = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            cluster.Client.GetGrain<ITimedTransferGrain>(0)
                .Transfer(from, to, 10, TimeSpan.Zero)
                .Guarded("the transfer is refused"));

        Assert.Contains("AddScalableTimers", exception.Message, StringComparison.Ordinal);
        Assert.Equal(0, await Balance(cluster.Client, to));
        await cluster.StopAllSilosAsync();
    }

    [Fact]
    public async Task RunTransaction_OnAClientWithADeadline_IsAbortedWhenLateAndCommitsWhenNot()
    {
        await using var cluster = await Deploy(
            static silo => silo.UseTransactions().AddScalableTimers(),
            static client => client
                .UseTransactions()
                .MeasureTransactionPhases()
                .ConfigureTransactionPhases(static phases => phases.Deadline = TimeSpan.FromMilliseconds(400)));
        var transactions = cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>();
        var (from, to) = NewAccounts();

        await Run(TimeSpan.Zero).Guarded("the transaction commits");
        var late = await Assert.ThrowsAsync<OrleansTransactionTransientFailureException>(
            () => Run(s_late).Guarded("the late transaction ends"));

        Assert.IsType<TimeoutException>(late.InnerException);
        Assert.Equal(10, await Balance(cluster.Client, to));
        var measured = cluster.Client.ServiceProvider.GetRequiredService<TransactionPhaseStatistics>().Snapshot();
        Assert.Equal(
            (2L, 1L),
            measured.Where(static phase => phase.Durations.Operation == "transaction")
                .Select(static phase => (phase.Durations.Count, phase.Timeouts))
                .Single());
        await cluster.StopAllSilosAsync();

        Task Run(TimeSpan pause) => transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await cluster.Client.GetGrain<IAccountGrain>(from).Add(-10);
            await cluster.Client.GetGrain<IAccountGrain>(to).Add(10);
            await Task.Delay(pause, TestContext.Current.CancellationToken);
        });
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

    private static async Task<InProcessTestCluster> Deploy(
        Action<ISiloBuilder> configureSilo, Action<IClientBuilder> configureClient)
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.AddMemoryGrainStorage(AccountGrain.Storage);
            configureSilo(silo);
        });
        builder.ConfigureClient(configureClient);
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }
}
