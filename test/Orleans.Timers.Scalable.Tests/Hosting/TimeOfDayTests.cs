using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Reminders;
using Orleans.TestingHost.Logging;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Silos with a clock that tells another time of day and zone, as many programs register for tests.</summary>
public sealed class TimeOfDayTests
{
    private static readonly TimeZoneInfo s_zone =
        TimeZoneInfo.CreateCustomTimeZone("Z", TimeSpan.FromHours(5), "Z", "Z");
    private static readonly string[] s_keys =
        [TimeProviderNames.Grains, TransactionTimeProviderNames.Transactions, ReminderTimeProviderNames.Reminders];

    private readonly InMemoryLogBuffer _log = new();

    // Seen to fail when only the system clock itself was driven: every clock and all response timeouts were left to
    // Orleans. Of its response timeouts, spread over a second, a quarter comes by 450 ms.
    [Fact]
    public async Task Clock_TellsAnotherTimeOfDay_IsDrivenAndStillTellsIt()
    {
        var clock = new OtherTimeOfDay();
        await using var cluster = await Clusters.Deploy(
            silos: 2,
            (_, silo) =>
            {
                silo.Services.AddSingleton<TimeProvider>(clock).AddLogging(
                    logging => logging.AddProvider(new InMemoryLoggerProvider(_log)));
                silo.AddScalableTimers();
            },
            client =>
            {
                client.Services.AddSingleton<TimeProvider>(clock);
                client.AddScalableTimers();
            }).Guarded("the silos start");

        foreach (var silo in cluster.Silos)
        {
            Assert.All(s_keys, key =>
            {
                var driven = silo.ServiceProvider.GetRequiredKeyedService<TimeProvider>(key);
                Assert.Same(silo.Timers().TimeProvider, driven);
                AssertTellsTheOtherTime(driven);
            });
            AssertTellsTheOtherTime(silo.ServiceProvider.MessagingClock());
            Assert.False(silo.Timers().GetSnapshot().IsVirtualTime);
            var read = await silo.NewGrain().Get(static self =>
                self.Services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Grains).GetUtcNow());
            Assert.InRange(read, OtherTimeOfDay.Now.AddMinutes(-1), OtherTimeOfDay.Now);
        }

        // A machine that stands still may have been warned of.
        Assert.DoesNotContain(
            _log.AllEntries, static entry => entry.Category.StartsWith("ScalableTimers", StringComparison.Ordinal)
                && entry.LogLevel > LogLevel.Information && entry.EventId.Name != "LogPoolStarved");
        Assert.Equal(
            cluster.Silos.Count,
            _log.AllEntries.Count(static entry => entry.Message.Contains(
                "Response timeouts: checked every 00:00:00.0200000, and every", StringComparison.Ordinal)));
        Assert.NotNull(cluster.Client.ServiceProvider.MessagingClock().Check?.Periods);
        foreach (var grains in new[] { cluster.Client, cluster.Silo(0).Grains() })
        {
            var took = await ResponseTimeoutLifecycleTests.TimeOut(20, 50, _ => grains);
            Assert.All(took, static time => Assert.True(time > TimeSpan.FromMilliseconds(200)));
        }

        await cluster.StopAllSilosAsync();
    }

    // A silo's key may have a clock of its own. Seen to fail when keys that are registered were left alone.
    [Fact]
    public void Key_RegisteredBefore_IsDrivenWithItsOwnTime()
    {
        using var host = TestHosts.Silo(static silo =>
        {
            silo.Services.AddSingleton<TimeProvider>(new OtherTimeOfDay());
            silo.Services.AddKeyedSingleton(TimeProviderNames.Messaging, TimeProvider.System);
            silo.Services.AddKeyedSingleton(ReminderTimeProviderNames.Reminders, TimeProvider.System);
            silo.Services.AddKeyedSingleton<TimeProvider, OtherTimeOfDay>(TransactionTimeProviderNames.Transactions);
            silo.AddScalableTimers();
        });

        var reminders = host.Services.GetRequiredKeyedService<TimeProvider>(ReminderTimeProviderNames.Reminders);
        Assert.IsType<ScalableTimeProvider>(reminders);
        Assert.InRange(reminders.GetUtcNow(), DateTimeOffset.UtcNow.AddMinutes(-1), DateTimeOffset.UtcNow);
        Assert.Same(TimeZoneInfo.Local, reminders.LocalTimeZone);
        using var timer = reminders.CreateTimer(static _ => { }, null, TimeSpan.FromHours(1), TimeSpan.Zero);
        Assert.Equal(1, host.Services.GetRequiredService<TimerService>().GetSnapshot().Pending);
        Assert.InRange(
            host.Services.MessagingClock().GetUtcNow(), DateTimeOffset.UtcNow.AddMinutes(-1), DateTimeOffset.UtcNow);
        AssertTellsTheOtherTime(Assert.IsType<ScalableTimeProvider>(
            host.Services.GetRequiredKeyedService<TimeProvider>(TransactionTimeProviderNames.Transactions)));
    }

    private static void AssertTellsTheOtherTime(TimeProvider clock)
    {
        Assert.InRange(clock.GetUtcNow(), OtherTimeOfDay.Now.AddMinutes(-1), OtherTimeOfDay.Now);
        Assert.Same(s_zone, clock.LocalTimeZone);
    }

    private sealed class OtherTimeOfDay : TimeProvider
    {
        internal static DateTimeOffset Now => DateTimeOffset.UtcNow.AddYears(-20);

        public override TimeZoneInfo LocalTimeZone => s_zone;

        public override DateTimeOffset GetUtcNow() => Now;
    }
}
