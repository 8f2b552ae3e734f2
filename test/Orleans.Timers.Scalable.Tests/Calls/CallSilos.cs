using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Two silos and a client with transactions, the plugin's call filters, and others around them.</summary>
[CollectionDefinition]
public sealed class CallSilos() : ClusterFixture(silos: 2), ICollectionFixture<CallSilos>
{
    internal TimerService ClientTimers => Client.ServiceProvider.GetRequiredService<TimerService>();

    /// <summary>A grain in one of the silos.</summary>
    internal ITimedGrain NewGrain() => Client.GetGrain<ITimedGrain>(Guid.NewGuid());

    protected override void Configure(int number, ISiloBuilder silo)
    {
        silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions();
        silo.AddOutgoingGrainCallFilter(CallFilters.Repeat);
        silo.AddCallCancellation();
        silo.AddOutgoingGrainCallFilter(CallFilters.Wait);

        // A cancelled call of the first silo ends when the callee has confirmed the cancellation, so that tests can
        // have calls that are answered late. One of the second silo ends at once.
        silo.Configure<SiloMessagingOptions>(
            messaging => messaging.WaitForCancellationAcknowledgement = number == 0);
    }

    protected override void Configure(IClientBuilder client) => client
        .AddOutgoingGrainCallFilter(CallFilters.Repeat)
        .AddCallCancellation()
        .AddOutgoingGrainCallFilter(CallFilters.Wait);
}
