using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Two silos whose transaction phases are bounded. The client does not use the plugin.
/// </summary>
[CollectionDefinition]
public sealed class PhasedSilos() : ClusterFixture(silos: 2), ICollectionFixture<PhasedSilos>
{
    internal static readonly TimeSpan Deadline = TimeSpan.FromSeconds(2);
    internal static readonly TimeSpan LockAcquisition = TimeSpan.FromSeconds(0.5);

    /// <summary>Longer than any wait of a test.</summary>
    internal static readonly TimeSpan LockHold = TimeSpan.FromMinutes(1);

    protected override void Configure(int number, ISiloBuilder silo)
    {
        silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().AddScalableTimers();
        silo.ConfigureTransactionPhases(static phases =>
        {
            phases.Deadline = Deadline;
            phases.LockAcquisition = LockAcquisition;
        });
        silo.Configure<TransactionalStateOptions>(static options =>
        {
            options.LockTimeout = LockHold;
            options.ConfirmationRetryDelay = TimeSpan.FromMilliseconds(100);
            options.RemoteTransactionPingFrequency = TimeSpan.FromSeconds(1);
        });

        // As if the wall clock had been set back. Orleans drops waiters by that clock, so only the plugin's own bound
        // is left.
        silo.Services.PostConfigure<TransactionalStateOptions>(
            static options => options.LockAcquireTimeout = LockHold);
    }
}
