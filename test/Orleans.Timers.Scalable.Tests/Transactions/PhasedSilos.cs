using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Storage;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Two silos whose transaction phases are bounded and measured, with a storage that a test can delay. The client does
/// not use the plugin.
/// </summary>
public sealed class PhasedSilos : IAsyncLifetime
{
    internal static readonly TimeSpan Deadline = TimeSpan.FromSeconds(5);
    internal static readonly TimeSpan LockAcquisition = TimeSpan.FromSeconds(2);
    internal static readonly TimeSpan Prepare = TimeSpan.FromSeconds(1.5);
    internal static readonly TimeSpan Commit = TimeSpan.FromSeconds(3);
    internal static readonly TimeSpan Confirm = TimeSpan.FromMilliseconds(500);

    /// <summary>A time that is longer than any wait of a test.</summary>
    internal static readonly TimeSpan LockHold = TimeSpan.FromMinutes(1);

    private readonly InProcessTestCluster _cluster;

    public PhasedSilos()
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 2);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().AddScalableTimers();
            silo.Services.AddKeyedSingleton<IGrainStorage>(GatedAccountGrain.Storage, (services, _) =>
                new GatedStorage(services.GetRequiredKeyedService<IGrainStorage>(AccountGrain.Storage), Gate));
            silo.ConfigureTransactionPhases(static phases =>
            {
                phases.Deadline = Deadline;
                phases.Start = TimeSpan.FromSeconds(5);
                phases.LockAcquisition = LockAcquisition;
                phases.LockHold = LockHold;
                phases.Prepare = Prepare;
                phases.Commit = Commit;
                phases.Confirm = Confirm;
                phases.ConfirmRetry = TimeSpan.FromMilliseconds(100);
                phases.Ping = TimeSpan.FromSeconds(1);
                phases.Abort = TimeSpan.FromSeconds(5);
            });
            silo.MeasureTransactionPhases();

            // This is as if the wall clock had been set back. Orleans drops waiters by that clock, so only the plugin's
            // own bound is left.
            silo.Services.PostConfigure<TransactionalStateOptions>(
                static options => options.LockAcquireTimeout = LockHold);
        });
        _cluster = builder.Build();
    }

    /// <summary>Delays the writes of chosen grains.</summary>
    internal StorageGate Gate { get; } = new();

    /// <summary>The measurements so far.</summary>
    internal PhaseListener Phases { get; } = new();

    internal IReadOnlyList<InProcessSiloHandle> Silos => [.. _cluster.Silos];

    internal IGrainFactory Client => _cluster.Client;

    public async ValueTask InitializeAsync() => await _cluster.DeployAsync();

    public async ValueTask DisposeAsync()
    {
        // The silo stops in good order, so that its grains cancel their timers in Orleans' static timer manager, which
        // other tests inspect.
        await _cluster.StopAllSilosAsync();
        await _cluster.DisposeAsync();
        Phases.Dispose();
    }
}
