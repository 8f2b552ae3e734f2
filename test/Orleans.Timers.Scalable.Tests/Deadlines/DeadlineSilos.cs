using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.TestingHost;
using Orleans.Timers.Scalable.Deadlines;
using Orleans.Timers.Scalable.Messaging;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Two silos and a client with call deadlines, and a silo without them.</summary>
[CollectionDefinition]
public sealed class DeadlineSilos() : ClusterFixture(silos: 3), ICollectionFixture<DeadlineSilos>
{
    internal const string Streams = "deadline streams";

    /// <summary>
    /// The response timeout of the silo without deadlines. All others have Orleans' default.
    /// </summary>
    private static readonly TimeSpan s_stockResponseTimeout = TimeSpan.FromSeconds(12);

    /// <summary>The silo without deadlines.</summary>
    internal InProcessSiloHandle Stock => Cluster.Silo(2);

    /// <summary>
    /// Makes a silo or client believe that it has stood still for a minute, until the result is disposed.
    /// </summary>
    internal static IDisposable StoodStill(IServiceProvider host)
    {
        var deadlines = host.GetRequiredService<CallDeadlines>();
        var real = deadlines.Stalls;
        deadlines.Stalls = new Stalls(new ManualTimeProvider());
        _ = deadlines.Stalls.GraceLeft(TimeSpan.FromMinutes(1));
        return new Restored(() => deadlines.Stalls = real);
    }

    public override async ValueTask InitializeAsync()
    {
        await base.InitializeAsync();

        // A machine that stands still for a moment must not prolong a deadline that a test wants to see end.
        foreach (var host in new[] { First.ServiceProvider, Second.ServiceProvider, Client.ServiceProvider })
        {
            host.GetRequiredService<CallDeadlines>().Stalls = new Stalls(clock: null);
        }
    }

    protected override void Configure(int number, ISiloBuilder silo)
    {
        if (number == 1)
        {
            silo.Services.AddSingleton<TimeProvider>(new ClockAhead());
            foreach (var key in VirtualTimeSilo.Vital)
            {
                silo.Services.AddKeyedSingleton(key, TimeProvider.System);
            }
        }

        silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().UseInMemoryReminderService();
        silo.AddMemoryGrainStorage("PubSubStore").AddMemoryStreams(Streams);
        silo.Configure<ReminderOptions>(
            static reminders => reminders.MinimumReminderPeriod = TimeSpan.FromMilliseconds(50));
        silo.AddScalableTimers();
        if (number == 2)
        {
            silo.Configure<SiloMessagingOptions>(
                static messaging => messaging.ResponseTimeout = s_stockResponseTimeout);
        }
        else
        {
            silo.AddCallCancellation();
        }
    }

    protected override void Configure(IClientBuilder client) => client.AddCallCancellation();

    /// <summary>Timers and timestamps are the system's.</summary>
    private sealed class ClockAhead : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + TimeSpan.FromMinutes(10);
    }

    private sealed class Restored(Action restore) : IDisposable
    {
        public void Dispose() => restore();
    }
}
