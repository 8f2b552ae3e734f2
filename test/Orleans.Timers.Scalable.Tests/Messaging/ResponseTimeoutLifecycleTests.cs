using System.Diagnostics;
using Orleans.Timers.Scalable.Messaging;

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

    // Orleans checks once a second, so a quarter of these would come by 450 ms. A busy machine delays the mean, and one
    // that stands still this too, but hardly three times. While a check did not wait for answers on their way, an
    // overloaded grain answered a tenth less than without the plugin, and calls ended sooner than this.
    [Fact]
    public async Task ResponseTimeout_OfAMethod_IsOnTimeAndIncludesTheGrace()
    {
        var grace = TimeSpan.FromMilliseconds(5);
        Assert.Equal(grace, silos.Client.ServiceProvider.MessagingClock().Check?.Periods?.Grace);
        var isOnTime = false;
        for (var i = 0; i < 3 && !isOnTime; i++)
        {
            var took = await TimeOut(40, 25, i => i % 2 == 0 ? silos.Client : silos.First.Grains());

            Assert.All(took, took => Assert.InRange(took, s_timeout + grace, HangGuard.Limit));
            isOnTime = took.Order().ElementAt(10) < TimeSpan.FromMilliseconds(400);
        }

        Assert.True(isOnTime);
    }

    /// <summary>Calls that are never answered, begun some milliseconds apart: how long each takes.</summary>
    internal static Task<TimeSpan[]> TimeOut(int count, int apart, Func<int, IGrainFactory> grainsOf) =>
        Task.WhenAll(Enumerable.Range(0, count).Select(async i =>
        {
            await Task.Delay(apart * i);
            var start = Stopwatch.GetTimestamp();
            await Assert.ThrowsAsync<TimeoutException>(
                () => grainsOf(i).GetGrain<ITimedGrain>(Guid.NewGuid()).WaitBriefly());
            return Stopwatch.GetElapsedTime(start);
        })).Guarded("the calls time out");

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
}
