using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Reminders;
using Orleans.TestingHost;
using Orleans.TestingHost.Logging;
using Orleans.Transactions;
using ScalableTimers;
using ScalableTimers.Testing;

namespace Orleans.Timers.Scalable.Tests;

public sealed class KeyedClocksTests(TwoSilos silos, VirtualTimeSilo virtualTime)
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    [Theory]
    [InlineData(TimeProviderNames.Grains)]
    [InlineData(TransactionTimeProviderNames.Transactions)]
    [InlineData(ReminderTimeProviderNames.Reminders)]
    public void Key_OfGrainCode_IsTheServicesProvider(string key) => Assert.All(silos.Cluster.Silos, silo =>
        Assert.Same(
            silo.ServiceProvider.GetRequiredService<TimerService>().TimeProvider, Clock(silo.ServiceProvider, key)));

    [Theory]
    [InlineData(TimeProviderNames.Membership)]
    [InlineData(TimeProviderNames.SystemTimers)]
    [InlineData(TimeProviderNames.ActivationManagement)]
    [InlineData(TimeProviderNames.GrainDirectory)]
    [InlineData("a key of somebody else")]
    public void Key_OfTheSiloItself_IsTheSystemsClock(string key) =>
        Assert.All(silos.Cluster.Silos, silo => Assert.Same(TimeProvider.System, Clock(silo.ServiceProvider, key)));

    [Fact]
    public void UnkeyedClock_OfASilo_IsTheSystems() => Assert.All(silos.Cluster.Silos, static silo =>
        Assert.Same(TimeProvider.System, silo.ServiceProvider.GetRequiredService<TimeProvider>()));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Key_FeatureIsAddedBeforeOrAfter_IsTheServicesProvider(bool before)
    {
        using var host = TestHosts.Silo(silo => Add(
            before,
            () => silo.UseTransactions().UseInMemoryReminderService(),
            () => silo.AddScalableTimers()));

        var provider = host.Services.GetRequiredService<TimerService>().TimeProvider;
        Assert.Same(provider, Clock(host.Services, TransactionTimeProviderNames.Transactions));
        Assert.Same(provider, Clock(host.Services, ReminderTimeProviderNames.Reminders));
    }

    [Theory]
    [InlineData(TimeProviderNames.Grains, true)]
    [InlineData(TimeProviderNames.Grains, false)]
    [InlineData(TransactionTimeProviderNames.Transactions, true)]
    [InlineData(TransactionTimeProviderNames.Transactions, false)]
    [InlineData(ReminderTimeProviderNames.Reminders, true)]
    [InlineData(ReminderTimeProviderNames.Reminders, false)]
    public async Task Key_SetByTheUserBeforeOrAfter_IsLeftAloneAndLogged(string key, bool before)
    {
        var log = new InMemoryLogBuffer();
        var usersClock = new ManualTimeProvider();
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.Options.ConfigureFileLogging = false;
        builder.Options.InitializeClientOnDeploy = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.Services.AddLogging(logging => logging.AddProvider(new InMemoryLoggerProvider(log)));
            Add(
                before,
                () => silo.Services.AddKeyedSingleton<TimeProvider>(key, usersClock),
                () => silo.AddScalableTimers());
        });
        await using var cluster = builder.Build();
        await cluster.DeployAsync();

        Assert.Same(usersClock, Clock(cluster.Silos[0].ServiceProvider, key));
        var report = Assert.Single(Reports(log));
        Assert.Contains($"{key} ({typeof(ManualTimeProvider)})", report.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Keys_SetByNobody_AreNotLoggedAsLeftAlone()
    {
        var log = new InMemoryLogBuffer();
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.Options.ConfigureFileLogging = false;
        builder.Options.InitializeClientOnDeploy = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.Services.AddLogging(logging => logging.AddProvider(new InMemoryLoggerProvider(log)));
            silo.AddScalableTimers();
        });
        await using var cluster = builder.Build();
        await cluster.DeployAsync();

        Assert.Contains("left alone: none;", Assert.Single(Reports(log)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Key_SetByTheUserToTheSystemsClock_IsLeftAlone()
    {
        using var host = TestHosts.Silo(static silo =>
        {
            silo.Services.AddKeyedSingleton(TimeProviderNames.Grains, TimeProvider.System);
            silo.AddScalableTimers();
        });

        Assert.Same(TimeProvider.System, Clock(host.Services, TimeProviderNames.Grains));
        var (key, clock) = Assert.Single(KeyedClocks.LeftAlone(host.Services));
        Assert.Equal((TimeProviderNames.Grains, TimeProvider.System), (key, clock));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void ServiceClock_UserSetTheKeyOfGrains_IsTheUsers(bool before)
    {
        var usersClock = new ManualTimeProvider();
        using var host = TestHosts.Silo(silo => Add(
            before,
            () => silo.Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, usersClock),
            () => silo.AddScalableTimers()));

        AssertIsDrivenBy(usersClock, host);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void UnkeyedClock_IsAFake_GoesOnDrivingEverything(bool before)
    {
        var fake = new ManualTimeProvider();
        using var host = TestHosts.Silo(silo => Add(
            before,
            () => silo.Services.AddSingleton<TimeProvider>(fake),
            () => silo.AddScalableTimers()));

        Assert.Same(fake, Clock(host.Services, TimeProviderNames.Grains));
        Assert.Same(fake, Clock(host.Services, TransactionTimeProviderNames.Transactions));
        Assert.Same(fake, Clock(host.Services, ReminderTimeProviderNames.Reminders));
        Assert.Same(fake, Clock(host.Services, TimeProviderNames.Membership));
        AssertIsDrivenBy(fake, host);
    }

    [Fact]
    public void AnyKey_IsAFake_DrivesTheService()
    {
        var fake = new ManualTimeProvider();
        using var host = TestHosts.Silo(silo =>
        {
            silo.Services.AddKeyedSingleton<TimeProvider>(KeyedService.AnyKey, fake);
            silo.AddScalableTimers();
        });

        Assert.Same(fake, Clock(host.Services, TimeProviderNames.Grains));
        AssertIsDrivenBy(fake, host);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void BackgroundAreas_ArePinnedToTheSystemsClockWhileGrainsHaveAFake_DoNotStandStill(bool before)
    {
        // The testing host does the same: grain timers are in virtual time, and everything else is in real time.
        var fake = new ManualTimeProvider();
        using var host = TestHosts.Silo(silo => Add(
            before,
            () => silo.Services.AddSingleton<TimeProvider>(fake).UseTimeProviderForBackgroundAreas(TimeProvider.System),
            () => silo.AddScalableTimers()));

        Assert.Same(fake, Clock(host.Services, TimeProviderNames.Grains));
        AssertRunsInRealTime(Clock(host.Services, ReminderTimeProviderNames.Reminders));
        AssertRunsInRealTime(Clock(host.Services, TransactionTimeProviderNames.Transactions));
    }

    [Fact]
    public void OtherKeys_UserSetTheKeyOfGrainsToAFake_DoNotStandStill()
    {
        using var host = TestHosts.Silo(static silo =>
        {
            silo.Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, new ManualTimeProvider());
            silo.AddScalableTimers();
        });

        AssertRunsInRealTime(Clock(host.Services, ReminderTimeProviderNames.Reminders));
        AssertRunsInRealTime(Clock(host.Services, TransactionTimeProviderNames.Transactions));
    }

    [Fact]
    public async Task GrainTimer_OfASilo_FiresOnTheService()
    {
        var timers = silos.Second.ServiceProvider.GetRequiredService<TimerService>();
        var fired = new CountdownEvent(5);
        var done = new TaskCompletionSource();
        var before = timers.GetSnapshot();
        var grain = silos.Second.NewGrain();

        await grain.Run(self =>
        {
            var period = TimeSpan.FromMilliseconds(30);
            _ = self.RegisterGrainTimer(
                () => Signal(fired, done), new GrainTimerCreationOptions(dueTime: period, period));
            return Task.CompletedTask;
        });
        await done.Task.Guarded("a grain timer fires five times");

        // Each firing arms the next one, so five firings are at least five schedulings.
        Assert.InRange(timers.GetSnapshot().Scheduled, before.Scheduled + 5, long.MaxValue);
        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
    }

    [Fact]
    public async Task GrainTimer_UnkeyedClockIsAFake_FiresWhenItIsAdvanced()
    {
        virtualTime.AdvanceToTick();
        var fired = new TaskCompletionSource<TimeSpan>();
        var grain = virtualTime.Silo.NewGrain();
        var start = virtualTime.Clock.Elapsed;
        await grain.Run(self =>
        {
            _ = self.RegisterGrainTimer(
                () =>
                {
                    fired.TrySetResult(virtualTime.Clock.Elapsed - start);
                    return Task.CompletedTask;
                },
                new GrainTimerCreationOptions(s_hour, Timeout.InfiniteTimeSpan));
            return Task.CompletedTask;
        });

        virtualTime.Clock.Advance(s_hour - s_instant);
        await grain.Activate();
        Assert.False(fired.Task.IsCompleted);
        virtualTime.Clock.Advance(s_instant);

        Assert.Equal(s_hour, await fired.Task.Guarded("the grain timer fires"));
        await virtualTime.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
    }

    [Fact]
    public async Task Reminder_OfASilo_RegistersAndFiresOnTheService()
    {
        var reminded = new CountdownEvent(3);
        var done = new TaskCompletionSource();
        var grain = silos.First.NewGrain();
        grain.On(GrainMoment.Reminder, (_, _) => Signal(reminded, done));
        var before = Scheduled();

        var period = TimeSpan.FromMilliseconds(50);
        await grain.Run(self => self.RegisterOrUpdateReminder("reminder", dueTime: period, period));
        await done.Task.Guarded("the reminder fires three times");

        Assert.InRange(Scheduled(), before + 3, long.MaxValue);
        await grain.Run(static async self => await self.UnregisterReminder((await self.GetReminder("reminder"))!));

        // Either silo may keep the reminder.
        long Scheduled() => silos.Cluster.Silos.Sum(static silo =>
            silo.ServiceProvider.GetRequiredService<TimerService>().GetSnapshot().Scheduled);
    }

    private static TimeProvider Clock(IServiceProvider services, string key) =>
        services.GetRequiredKeyedService<TimeProvider>(key);

    private static IEnumerable<LogEntry> Reports(InMemoryLogBuffer log) => log.AllEntries.Where(static entry =>
        entry.Category == typeof(StartReport).FullName && entry.LogLevel == LogLevel.Information);

    private static void Add(bool first, Action usersPart, Action scalableTimers)
    {
        (first ? usersPart : scalableTimers)();
        (first ? scalableTimers : usersPart)();
    }

    private static Task Signal(CountdownEvent countdown, TaskCompletionSource done)
    {
        if (!countdown.IsSet && countdown.Signal())
        {
            done.SetResult();
        }

        return Task.CompletedTask;
    }

    private static void AssertIsDrivenBy(ManualTimeProvider clock, IHost host)
    {
        var delay = host.Services.GetRequiredService<TimerService>()
            .Delay(s_hour, TestContext.Current.CancellationToken);
        clock.Advance(s_hour - s_instant);
        Assert.False(delay.IsCompleted);
        clock.Advance(s_instant);
        Assert.True(delay.IsCompletedSuccessfully);
    }

    private static void AssertRunsInRealTime(TimeProvider clock)
    {
        var start = clock.GetTimestamp();
        SpinWait.SpinUntil(() => clock.GetTimestamp() != start, TimeSpan.FromMilliseconds(100));
        Assert.NotEqual(start, clock.GetTimestamp());
    }
}
