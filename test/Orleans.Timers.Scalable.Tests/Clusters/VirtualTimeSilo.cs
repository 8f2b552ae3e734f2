using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Reminders;
using Orleans.TestingHost;
using Orleans.TestingHost.Logging;
using Orleans.Timers.Internal;
using ScalableTimers;
using ScalableTimers.Testing;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A silo whose unkeyed clock stands still until a test advances it. The parts that keep the silo alive use the
/// system's clock.
/// </summary>
public sealed class VirtualTimeSilo : IAsyncLifetime
{
    private static readonly string[] s_vital =
    [
        TimeProviderNames.ActivationManagement,
        TimeProviderNames.GrainDirectory,
        TimeProviderNames.Membership,
        TimeProviderNames.Messaging,
        TimeProviderNames.SystemTimers,

        // The reminder service waits for times with a fraction of a millisecond. Task.Delay drops the fraction, so
        // Orleans reads the clock again and again until the fraction has passed. If the clock stands still, that never
        // ends.
        ReminderTimeProviderNames.Reminders,
    ];

    private readonly InProcessTestCluster _cluster;

    public VirtualTimeSilo()
        : this(static _ => { })
    {
    }

    internal VirtualTimeSilo(Action<ISiloBuilder> configure)
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.Services.AddLogging(logging => logging.AddProvider(new InMemoryLoggerProvider(Log)));
            silo.Services.AddSingleton<TimeProvider>(Clock);
            foreach (var key in s_vital)
            {
                silo.Services.AddKeyedSingleton(key, TimeProvider.System);
            }

            silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().UseInMemoryReminderService();
            silo.Configure<TransactionalStateOptions>(
                static options => options.ConfirmationRetryDelay = ConfirmationRetryDelay);
            silo.AddScalableTimers();

            silo.AddIncomingGrainCallFilter(Confirmations);
            silo.Services.AddSingleton<ITimerManager>(services =>
                new WatchedTimerManager(new ScalableTimerManager(services.GetRequiredService<TimerService>())));
            configure(silo);
        });
        _cluster = builder.Build();
    }

    internal static TimeSpan ConfirmationRetryDelay { get; } = TimeSpan.FromMinutes(7);

    internal ManualTimeProvider Clock { get; } = new(DateTimeOffset.UtcNow);

    internal InMemoryLogBuffer Log { get; } = new();

    /// <summary>Makes confirmations of transactions fail.</summary>
    internal ConfirmationFault Confirmations { get; } = new();

    /// <summary>The plugin's own timer manager, wrapped so that tests can watch it.</summary>
    internal WatchedTimerManager TimerManager =>
        (WatchedTimerManager)Silo.ServiceProvider.GetRequiredService<ITimerManager>();

    internal InProcessTestCluster Cluster => _cluster;

    internal InProcessSiloHandle Silo => _cluster.Silos[0];

    internal TimerService Timers => Silo.ServiceProvider.GetRequiredService<TimerService>();

    /// <summary>
    /// Advances the clock to a whole tick, because a failed test may have left it between two ticks.
    /// </summary>
    internal void AdvanceToTick()
    {
        var resolution = Timers.Resolution().Ticks;
        Clock.Advance(TimeSpan.FromTicks((resolution - (Clock.Elapsed.Ticks % resolution)) % resolution));
    }

    public async ValueTask InitializeAsync() => await _cluster.DeployAsync();

    public async ValueTask DisposeAsync() => await _cluster.DisposeAsync();
}
