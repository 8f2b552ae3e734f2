using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Two silos with transactions whose calls can be bounded by <see cref="CallTimeout"/>. The client knows nothing of it.
/// </summary>
public sealed class TransactionalSilos : IAsyncLifetime
{
    private readonly InProcessTestCluster _cluster;

    public TransactionalSilos()
        : this(waitForCancellationAcknowledgement: true)
    {
    }

    internal TransactionalSilos(bool waitForCancellationAcknowledgement, bool withDiagnostics = false)
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 2);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().AddCallTimeouts();
            if (withDiagnostics)
            {
                silo.AddCallDiagnostics();
            }

            silo.AddIncomingGrainCallFilter(HeldWrites.Pass);
            silo.AddOutgoingGrainCallFilter(WaitingFilter.Invoke);

            // With this option, a cancelled call ends when the callee has confirmed the cancellation. So tests can have
            // calls that are answered late.
            silo.Configure<SiloMessagingOptions>(
                messaging => messaging.WaitForCancellationAcknowledgement = waitForCancellationAcknowledgement);
        });
        _cluster = builder.Build();
    }

    internal IClusterClient Client => _cluster.Client;

    internal IReadOnlyList<InProcessSiloHandle> Silos => [.. _cluster.Silos];

    internal ITransactionClient Transactions =>
        _cluster.Silos[0].ServiceProvider.GetRequiredService<ITransactionClient>();

    public async ValueTask InitializeAsync() => await _cluster.DeployAsync();

    public async ValueTask DisposeAsync()
    {
        // The silo stops in good order, so that its grains cancel their timers in Orleans' static timer manager, which
        // other tests inspect.
        await _cluster.StopAllSilosAsync();
        await _cluster.DisposeAsync();
    }
}
