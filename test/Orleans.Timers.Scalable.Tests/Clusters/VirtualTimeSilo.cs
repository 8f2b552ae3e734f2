using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Reminders;
using Orleans.TestingHost;
using Orleans.TestingHost.Logging;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A silo whose unkeyed clock stands still until a test advances it. The parts that keep the silo alive use the
/// system's clock.
/// </summary>
public class VirtualTimeSilo() : ClusterFixture(silos: 1)
{
    internal static readonly string[] Vital =
    [
        TimeProviderNames.ActivationManagement,
        TimeProviderNames.GrainDirectory,
        TimeProviderNames.Membership,
        TimeProviderNames.Messaging,
        TimeProviderNames.SystemTimers,

        // The reminder service waits for times with a fraction of a millisecond. Task.Delay drops the fraction, so
        // Orleans reads the clock again and again until it has passed, which never happens on a clock that stands
        // still.
        ReminderTimeProviderNames.Reminders,
    ];

    internal ManualTimeProvider Clock { get; } = new(DateTimeOffset.UtcNow);

    internal InMemoryLogBuffer Log { get; } = new();

    internal InProcessSiloHandle Silo => First;

    /// <summary>
    /// Advances the clock to a whole tick, because a failed test may have left it between two ticks.
    /// </summary>
    internal void AdvanceToTick()
    {
        var resolution = Silo.Timers().Resolution().Ticks;
        Clock.Advance(TimeSpan.FromTicks((resolution - (Clock.Elapsed.Ticks % resolution)) % resolution));
    }

    protected override void Configure(int number, ISiloBuilder silo)
    {
        silo.Services.AddLogging(logging => logging.AddProvider(new InMemoryLoggerProvider(Log)));
        silo.Services.AddSingleton<TimeProvider>(Clock);
        foreach (var key in Vital)
        {
            silo.Services.AddKeyedSingleton(key, TimeProvider.System);
        }

        silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().UseInMemoryReminderService();
        silo.AddScalableTimers();
    }
}
