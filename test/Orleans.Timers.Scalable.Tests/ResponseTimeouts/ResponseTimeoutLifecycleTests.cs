using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using ScalableTimers.Testing;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ResponseTimeoutLifecycleTests(TwoSilos silos, VirtualTimeSilo virtualTime)
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(200);

    /// <summary>The two silos, and the client.</summary>
    private IEnumerable<IServiceProvider> Hosts =>
        silos.Cluster.Silos.Select(static silo => silo.ServiceProvider).Append(silos.Cluster.Client.ServiceProvider);

    [Fact]
    public void Start_OfSilosAndClient_LooksEveryTenthOfTheShortestTimeout() => Assert.All(Hosts, static host =>
    {
        // One interface has a response timeout of 200 milliseconds.
        Assert.Equal(TimeSpan.FromMilliseconds(20), Clock(host).Check?.Periods?.Shortest);
        Assert.Equal(new OrleansTimerOptions().LongestResponseTimeoutCheck, Clock(host).Check?.Periods?.Longest);
    });

    [Fact]
    public async Task ResponseTimeout_OfAMethod_IsNeverEarly()
    {
        var calls = Enumerable.Range(0, 40).Select(
            i => TimeOut(i % 2 == 0 ? silos.Cluster.Client : silos.First.Grains()));

        var took = await Task.WhenAll(calls).Guarded("the calls time out");

        Assert.All(took, static took => Assert.InRange(took, s_timeout, HangGuard.Limit));

        static async Task<TimeSpan> TimeOut(IGrainFactory grains)
        {
            var start = Stopwatch.GetTimestamp();
            await Assert.ThrowsAsync<TimeoutException>(
                () => grains.GetGrain<ITimedGrain>(Guid.NewGuid()).WaitBriefly());
            return Stopwatch.GetElapsedTime(start);
        }
    }

    [Fact]
    public async Task NoneQuestion_OfSiloAndClient_SeesOutstandingCalls()
    {
        // A client's table is empty between calls. A silo's table also holds the calls between silos.
        var none = OutstandingCalls.NoneQuestion(
            Clock(silos.Cluster.Client.ServiceProvider).Maker, silos.Cluster.Client.ServiceProvider);
        Assert.NotNull(none);
        Assert.All(silos.Cluster.Silos, static silo =>
            Assert.NotNull(OutstandingCalls.NoneQuestion(Clock(silo.ServiceProvider).Maker, silo.ServiceProvider)));

        var call = silos.Cluster.Client.GetGrain<ITimedGrain>(Guid.NewGuid()).WaitAWhile();

        Assert.False(none());
        await Assert.ThrowsAsync<TimeoutException>(() => call.Guarded("the call times out"));
    }

    [Fact]
    public void NoneQuestion_RuntimeClientLooksOtherwise_IsNull()
    {
        Assert.Null(OutstandingCalls.NoneQuestion(maker: null, silos.First.ServiceProvider));
        Assert.Null(OutstandingCalls.NoneQuestion(typeof(string), silos.First.ServiceProvider));
        Assert.Null(OutstandingCalls.NoneQuestion(typeof(WithOtherTable), silos.First.ServiceProvider));
    }

    [Fact]
    public void Key_SetByTheUser_IsLeftAloneAndLogged()
    {
        // For this key the silo in virtual time has the system's clock, which its owner registered.
        Assert.Same(
            TimeProvider.System,
            virtualTime.Silo.ServiceProvider.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Messaging));
        var report = Assert.Single(
            virtualTime.Log.AllEntries, static entry => entry.Category == typeof(StartReport).FullName);
        Assert.Equal(LogLevel.Information, report.LogLevel);
        Assert.Contains(
            $"Response timeouts: left to Orleans (the clock {TimeProviderNames.Messaging} is ",
            report.Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Key_SetByTheUserBeforeOrAfter_IsTheUsers(bool before)
    {
        var usersClock = new ManualTimeProvider();
        using var silo = TestHosts.Silo(silo => Add(silo.Services, () => silo.AddScalableTimers()));
        using var client = TestHosts.Client(client => Add(client.Services, () => client.AddScalableTimers()));

        Assert.All([silo, client], host =>
            Assert.Same(usersClock, host.Services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Messaging)));

        void Add(IServiceCollection services, Action addTimers)
        {
            if (!before)
            {
                addTimers();
            }

            services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Messaging, usersClock);
            if (before)
            {
                addTimers();
            }
        }
    }

    [Fact]
    public void Key_UnkeyedClockIsAFake_IsTheFake()
    {
        var fake = new ManualTimeProvider();
        using var silo = TestHosts.Silo(silo => silo.AddScalableTimers().Services.AddSingleton<TimeProvider>(fake));
        using var client = TestHosts.Client(
            client => client.AddScalableTimers().Services.AddSingleton<TimeProvider>(fake));

        Assert.All([silo, client], host =>
            Assert.Same(fake, host.Services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Messaging)));
    }

    [Theory]
    [InlineData(0, 200, "ShortestResponseTimeoutCheck is 00:00:00;")]
    [InlineData(1001, 1001, "ShortestResponseTimeoutCheck is 00:00:01.0010000;")]
    [InlineData(
        20,
        10,
        "LongestResponseTimeoutCheck is 00:00:00.0100000; it must be from ShortestResponseTimeoutCheck "
            + "(00:00:00.0200000) to 00:00:01.")]
    [InlineData(20, 2000, "LongestResponseTimeoutCheck is 00:00:02;")]
    public async Task Start_PeriodOutOfItsRange_FailsNamingPropertyValueAndRange(int shortest, int longest, string told)
    {
        using var host = TestHosts.Silo(silo => silo.AddScalableTimers().Configure<OrleansTimerOptions>(options =>
        {
            options.ShortestResponseTimeoutCheck = TimeSpan.FromMilliseconds(shortest);
            options.LongestResponseTimeoutCheck = TimeSpan.FromMilliseconds(longest);
        }));

        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.Contains("OrleansTimerOptions." + told, error.Message, StringComparison.Ordinal);
    }

    private static ResponseTimeoutClock Clock(IServiceProvider services) =>
        Assert.IsType<ResponseTimeoutClock>(
            services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Messaging));

    private sealed class WithOtherTable
    {
#pragma warning disable CS0169, CA1823, IDE0051, IDE1006 // Looked at by reflection.
        private readonly Dictionary<int, int>? callbacks;
#pragma warning restore CS0169, CA1823, IDE0051, IDE1006
    }
}
