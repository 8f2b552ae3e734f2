using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What the delays of a silo, of its service and of a client come to when they stop.</summary>
public sealed class TimerServiceLifecycleTests
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    // Orleans would give up after 30 seconds, which is longer than the guard waits.
    [Fact]
    public async Task Stop_GrainsWaitAndLoop_EndsThemAll()
    {
        const int Grains = 500;
        const int DelaysInEach = 10;
        const int Loops = 20;
        await using var cluster = await Deploy();
        var silo = cluster.Silo(1);
        var ends = new ConcurrentBag<Exception?>();
        var cancelledInLoops = 0;
        await Task.WhenAll(Enumerable.Range(0, Grains).Select(_ => silo.NewGrain().BeginWait(async self =>
        {
            var waits = Enumerable.Range(0, DelaysInEach)
                .Select(_ => Record.ExceptionAsync(async () => await self.Delays.Delay(s_hour)))
                .ToList();
            foreach (var wait in waits)
            {
                ends.Add(await wait);
            }
        }))).Guarded("thousands of delays begin");
        await Task.WhenAll(Enumerable.Range(0, Loops).Select(_ => silo.NewGrain().BeginWait(async self =>
        {
            while (!self.Delays.DeactivationToken.IsCancellationRequested)
            {
                try
                {
                    await self.Delays.Delay(s_hour);
                }
                catch (OperationCanceledException)
                {
                    Interlocked.Increment(ref cancelledInLoops);
                }
            }
        })));

        await silo.StopSiloAsync(stopGracefully: true).Guarded("the silo stops although calls wait in it");

        Assert.Equal(Grains * DelaysInEach, ends.Count);
        Assert.All(ends, static end => Assert.IsAssignableFrom<OperationCanceledException>(end));

        // Seen to fail while only the deactivation cancelled the token: 18,000 to 70,000 delays began and ended.
        Assert.InRange(cancelledInLoops, Loops, Loops * 100);
    }

    [Fact]
    public async Task Stop_GrainWaitsWhileItDeactivates_GetsTheTimeForIt()
    {
        var (late, farewell) = (TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(150));
        await using var cluster = await Deploy();
        var silo = cluster.Silo(1);
        var ofNet = Task.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None);
        var ofTheService = silo.Timers().TryDelay(Timeout.InfiniteTimeSpan).AsTask();
        (bool OfNet, bool OfTheService)? hadEnded = null;
        Exception? lateError = null;
        TimeSpan tookLate = default, tookFarewell = default;
        bool? wasHurried = null;
        var grain = silo.NewGrain();
        grain.On(GrainMoment.Deactivation, async (self, cancellationToken) =>
        {
            hadEnded = (ofNet.IsCompleted, ofTheService.IsCompleted);
            var start = Stopwatch.GetTimestamp();
            lateError = await Record.ExceptionAsync(
                async () => await self.Delays.Delay(late, CancellationToken.None));
            tookLate = Stopwatch.GetElapsedTime(start);
            start = Stopwatch.GetTimestamp();
            await self.Delays.DelayIgnoringDeactivation(farewell, cancellationToken);
            tookFarewell = Stopwatch.GetElapsedTime(start);
            wasHurried = cancellationToken.IsCancellationRequested;
        });
        await grain.Activate();

        await silo.StopSiloAsync(stopGracefully: true).Guarded("the silo stops");

        // Null: the silo has not waited for the grain.
        Assert.False(wasHurried);
        // Seen to fail when such a delay is cancelled at once: a loop that catches everything is a hot one.
        Assert.IsAssignableFrom<OperationCanceledException>(lateError);
        Assert.InRange(tookLate, late, HangGuard.Limit);
        Assert.InRange(tookFarewell, farewell, TimeSpan.MaxValue);

        // Seen to fail when the service stops before the grains are deactivated. Task.Delay is the control.
        Assert.Equal((false, false), hadEnded);
        Assert.False(await ofTheService.Guarded("the host ends the delay of the service"));
    }

    [Fact]
    public async Task Dispose_GrainCodeOutlivesItsSilo_ItsDelaysAreCancelledAndItGetsNoOther()
    {
        await using var cluster = await Deploy();
        var silo = cluster.Silo(1);
        var delays = await silo.NewGrain().Get(static self => self.Delays);

        // The delay begins outside any call, so that it delays none.
        var ignoring = delays.DelayIgnoringDeactivation(Timeout.InfiniteTimeSpan).AsTask();
        await silo.StopSiloAsync(stopGracefully: true).Guarded("a silo stops");
        Assert.False(ignoring.IsCompleted);
        await silo.DisposeAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => ignoring.Guarded("it ends with its silo"));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await delays.Delay(s_hour));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await delays.DelayIgnoringDeactivation(s_hour));

        var ofTheClient = cluster.Client.ServiceProvider.GetRequiredService<TimerService>().Delay(s_hour).AsTask();
        await cluster.StopClusterClientAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => ofTheClient.Guarded("a delay of a stopped client ends"));
    }

    private static Task<InProcessTestCluster> Deploy() => Clusters.Deploy(
        silos: 2, static (_, silo) => silo.AddScalableTimers(), static client => client.AddScalableTimers());
}
