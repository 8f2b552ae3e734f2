using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Reminders;
using Orleans.TestingHost;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Transactions;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

public sealed class KeyedClocksTests(TwoSilos silos)
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    [Theory]
    [InlineData(TimeProviderNames.Grains)]
    [InlineData(TransactionTimeProviderNames.Transactions)]
    [InlineData(ReminderTimeProviderNames.Reminders)]
    public void Key_OfGrainCode_IsTheServicesProvider(string key) => Assert.All(silos.Cluster.Silos, silo =>
        Assert.Same(silo.Timers().TimeProvider, Clock(silo.ServiceProvider, key)));

    [Theory]
    [InlineData(TimeProviderNames.Membership)]
    [InlineData(TimeProviderNames.SystemTimers)]
    [InlineData("a key of somebody else")]
    public void Key_OfTheSiloItself_IsTheSystemsClock(string key) => Assert.All(silos.Cluster.Silos, silo =>
    {
        Assert.Same(TimeProvider.System, Clock(silo.ServiceProvider, key));
        Assert.Same(TimeProvider.System, silo.ServiceProvider.GetRequiredService<TimeProvider>());
    });

    [Fact]
    public async Task Start_UnkeyedClockIsTheServicesOwn_ThrowsNamingTheWayOut()
    {
        using var host = TestHosts.Silo(static silo => silo
            .AddScalableTimers()
            .Services.AddSingleton<TimeProvider>(
                static services => services.GetRequiredService<TimerService>().TimeProvider));

        var error = await Assert.ThrowsAsync<InvalidOperationException>(
            () => Task.Run(() => host.StartAsync()).Guarded("the silo refuses to start"));

        Assert.Contains("under a key", error.Message, StringComparison.Ordinal);
    }

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

    // A clock that tells only another time of day is driven if its key is registered before: see TimeOfDayTests. No
    // code of ours runs between later registrations and their use.
    [Theory]
    [InlineData(TimeProviderNames.Grains, true, true)]
    [InlineData(TransactionTimeProviderNames.Transactions, false, true)]
    [InlineData(ReminderTimeProviderNames.Reminders, true, true)]
    [InlineData(ReminderTimeProviderNames.Reminders, false, false)]
    public void Key_SetByTheUser_IsLeftAloneIfItCountsTimeOrComesAfter(string key, bool before, bool countsTime)
    {
        var usersClock = countsTime ? new ManualTimeProvider() : TimeProvider.System;
        using var host = TestHosts.Silo(silo => Add(
            before,
            () => silo.Services
                .AddKeyedSingleton(key, usersClock)
                .AddKeyedSingleton(TimeProviderNames.Messaging, usersClock),
            () => silo.AddScalableTimers()));

        Assert.Same(usersClock, Clock(host.Services, key));
        Assert.Same(usersClock, Clock(host.Services, TimeProviderNames.Messaging));
        Assert.Contains($"{key} ({usersClock.GetType()})", KeyedClocks.LeftAlone(host.Services));
    }

    // The second way is the testing host's: grain timers run in virtual time, and all else in real time.
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, false)]
    [InlineData(true, true)]
    [InlineData(false, true)]
    public void ServiceClock_GrainsHaveAFake_IsTheFakeAndOtherKeysUseRealTime(bool before, bool ofAllButBackground)
    {
        var fake = new ManualTimeProvider();
        using var host = TestHosts.Silo(silo => Add(
            before,
            () => _ = ofAllButBackground
                ? silo.Services.AddSingleton<TimeProvider>(fake).UseTimeProviderForBackgroundAreas(TimeProvider.System)
                : silo.Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, fake),
            () => silo.AddScalableTimers()));

        Assert.Same(fake, Clock(host.Services, TimeProviderNames.Grains));
        AssertIsDrivenBy(fake, host);
        AssertRunsInRealTime(Clock(host.Services, ReminderTimeProviderNames.Reminders));
        AssertRunsInRealTime(Clock(host.Services, TransactionTimeProviderNames.Transactions));
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, false)]
    [InlineData(true, true)]
    public void UnkeyedOrAnyKeyClock_IsAFake_DrivesEverything(bool before, bool ofAnyKey)
    {
        var fake = new ManualTimeProvider();
        using var host = TestHosts.Silo(silo => Add(
            before,
            () => _ = ofAnyKey
                ? silo.Services.AddKeyedSingleton<TimeProvider>(KeyedService.AnyKey, fake)
                : silo.Services.AddSingleton<TimeProvider>(fake),
            () => silo.AddScalableTimers()));

        Assert.Same(fake, Clock(host.Services, TimeProviderNames.Grains));
        Assert.Same(fake, Clock(host.Services, TransactionTimeProviderNames.Transactions));
        Assert.Same(fake, Clock(host.Services, ReminderTimeProviderNames.Reminders));
        Assert.Same(fake, Clock(host.Services, TimeProviderNames.Membership));
        Assert.Same(fake, Clock(host.Services, TimeProviderNames.Messaging));
        AssertIsDrivenBy(fake, host);
    }

    private static TimeProvider Clock(IServiceProvider services, string key) =>
        services.GetRequiredKeyedService<TimeProvider>(key);

    private static void Add(bool first, Action usersPart, Action scalableTimers)
    {
        (first ? usersPart : scalableTimers)();
        (first ? scalableTimers : usersPart)();
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
