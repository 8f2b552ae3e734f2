using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Messaging;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ResponseTimeoutLifecycleTests(TwoSilos silos)
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(200);

    /// <summary>The two silos, and the client.</summary>
    private IEnumerable<IServiceProvider> Hosts =>
        silos.Cluster.Silos.Select(static silo => silo.ServiceProvider).Append(silos.Client.ServiceProvider);

    [Fact]
    public void Start_OfSilosAndClient_LooksEveryTenthOfTheShortestTimeout() => Assert.All(Hosts, static host =>
    {
        // One interface has a response timeout of 200 milliseconds.
        Assert.Equal(TimeSpan.FromMilliseconds(20), host.MessagingClock().Check?.Periods?.Shortest);
        Assert.Equal(TimeSpan.FromMilliseconds(200), host.MessagingClock().Check?.Periods?.Longest);
    });

    // Orleans checks once a second, so it is half a second late on average. While a check did not wait for answers on
    // their way, an overloaded grain answered a tenth less than without the plugin, and calls ended sooner than this.
    [Fact]
    public async Task ResponseTimeout_OfAMethod_IsOnTimeAndIncludesTheGrace()
    {
        var calls = Enumerable.Range(0, 40).Select(
            i => TimeOut(i % 2 == 0 ? silos.Client : silos.First.Grains(), TimeSpan.FromMilliseconds(25 * i)));

        var took = await Task.WhenAll(calls).Guarded("the calls time out");

        var grace = TimeSpan.FromMilliseconds(5);
        Assert.Equal(grace, silos.Client.ServiceProvider.MessagingClock().Check?.Periods?.Grace);
        Assert.All(took, took => Assert.InRange(took, s_timeout + grace, HangGuard.Limit));
        Assert.InRange(took.Average(static took => took.TotalSeconds), 0.2, 0.5);

        static async Task<TimeSpan> TimeOut(IGrainFactory grains, TimeSpan begin)
        {
            await Task.Delay(begin);
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
        var gate = Guid.NewGuid();
        var none = NoneQuestion(silos.Client.ServiceProvider);
        Assert.NotNull(none);
        Assert.All(silos.Cluster.Silos, static silo => Assert.NotNull(NoneQuestion(silo.ServiceProvider)));

        var call = silos.Client.GetGrain<ITimedGrain>(Guid.NewGuid()).Wait(gate);

        Assert.False(none());
        Gate.Of(gate).Open(0);
        await call.Guarded("the call ends");
        await Eventually.True(none, "none is outstanding");

        static Func<bool>? NoneQuestion(IServiceProvider services) =>
            OutstandingCalls.NoneQuestion(services.MessagingClock().Maker, services);
    }

    [Fact]
    public void NoneQuestion_UnknownRuntimeClient_IsNull()
    {
        Assert.Null(OutstandingCalls.NoneQuestion(maker: null, silos.First.ServiceProvider));
        Assert.Null(OutstandingCalls.NoneQuestion(typeof(string), silos.First.ServiceProvider));
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Clock_SetByTheUserBeforeOrAfter_IsTheUsers(bool withItsKey, bool before)
    {
        var usersClock = new ManualTimeProvider();
        using var silo = TestHosts.Silo(silo => Add(silo.Services, () => silo.AddScalableTimers()));
        using var client = TestHosts.Client(client => Add(client.Services, () => client.AddScalableTimers()));

        Assert.All([silo, client], host =>
            Assert.Same(usersClock, host.Services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Messaging)));

        void Add(IServiceCollection services, Action addTimers)
        {
            Action addClock = withItsKey
                ? () => services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Messaging, usersClock)
                : () => services.AddSingleton<TimeProvider>(usersClock);
            (before ? addClock : addTimers)();
            (before ? addTimers : addClock)();
        }
    }
}
