using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using ScalableTimers;
using ScalableTimers.Clock;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Two silos and a client in which the plugin is turned off. What it adds still works.</summary>
public sealed class TurnedOffSilosTests
{
    private static readonly TimeSpan s_short = TimeSpan.FromMilliseconds(50);

    // Seen to fail with an IsOff of false: the services had timers.
    [Fact]
    public async Task PublicApi_TurnedOff_WorksWithoutTheServicesTimers()
    {
        await using var cluster = await Clusters.Deploy(
            silos: 2,
            static (_, silo) => silo
                .AddMemoryGrainStorage(AccountGrain.Storage)
                .UseTransactions()
                .Configure<OrleansTimerOptions>(static options => options.Enabled = false)
                .AddCallTimeouts()
                .AddCallCancellation(),
            static client => client
                .Configure<OrleansTimerOptions>(static options => options.Enabled = false)
                .AddCallTimeouts()
                .AddCallCancellation());
        foreach (var silo in cluster.Silos)
        {
            var grain = silo.NewGrain();
            await grain.Run(static async self =>
            {
                await self.Delays.Delay(s_short);
                await self.Delays.DelayIgnoringDeactivation(s_short);
                using var timer = self.Delays.CreatePeriodicTimer(s_short);
                Assert.True(await timer.WaitForNextTickAsync());
            }).Guarded("the delays end");
            await AssertEndsWithTheActivation(cluster, grain);
        }

        var other = cluster.Client.GetGrain<ITimedGrain>(Guid.NewGuid());
        var timers = cluster.Client.ServiceProvider.GetRequiredService<TimerService>();
        await Assert.ThrowsAsync<TimeoutException>(
            () => timers.WithTimeout(other.Wait(Guid.NewGuid()), s_short).Guarded("the call times out"));
        using (CallTimeout.Begin(s_short))
        {
            await Assert.ThrowsAsync<TimeoutException>(
                () => other.WaitCancellable(Guid.NewGuid(), CancellationToken.None).Guarded("the call times out"));
        }

        using (CallDeadline.Begin(s_short))
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(
                () => Task.Delay(HangGuard.Limit, CallDeadline.Token).Guarded("the deadline passes"));
            await Assert.ThrowsAsync<TimeoutException>(() => other.InheritedTimeout());
        }

        Assert.All(
            cluster.Silos.Select(static silo => silo.Timers()).Append(timers),
            static service => Assert.Equal(0, service.GetSnapshot().Scheduled));
        await cluster.StopAllSilosAsync().Guarded("the silos stop");
    }

    // Seen to fail with .NET's timers on the system's clock, and with one timer for the whole delay.
    [Fact]
    public async Task DelaysAndTimeouts_OnAFakeClock_ElapseHoweverLongTheyAre()
    {
        var clock = new ManualTimeProvider();
        await using var cluster = await Clusters.Deploy(silos: 1, (_, silo) => silo
            .AddScalableTimers()
            .Configure<OrleansTimerOptions>(static options => options.Enabled = false)
            .Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, clock));
        var silo = cluster.Silo(0);
        var dueTime = DueTime.MaxTimer + TimeSpan.FromDays(10);

        var delay = await silo.NewGrain().BeginWait(self => self.Delays.Delay(dueTime));
        var call = silo.Timers().WithTimeout(new TaskCompletionSource().Task, TimeSpan.FromDays(1));
        while (!delay.IsCompleted)
        {
            clock.Advance(TimeSpan.FromDays(1));
            await Task.Delay(s_short / 10, TestContext.Current.CancellationToken);
        }

        await delay;
        Assert.InRange(clock.Elapsed, dueTime, dueTime * 2);
        await Assert.ThrowsAsync<TimeoutException>(() => call.Guarded("the call has timed out"));
        await cluster.StopAllSilosAsync().Guarded("the silo stops");
    }

    private static async Task AssertEndsWithTheActivation(InProcessTestCluster cluster, IScriptedGrain grain)
    {
        var call = await grain.BeginWait(static self => self.Delays.Delay(Timeout.InfiniteTimeSpan));
        Assert.True(cluster.TryGetGrainContext(grain.GetGrainId(), out var activation));
        activation.BeginDeactivation();
        var error = await Assert.ThrowsAsync<TaskCanceledException>(() => call.Guarded("the delay ends"));
        Assert.Contains("is being deactivated", error.Message, StringComparison.Ordinal);
        await activation.Deactivated.Guarded("the grain deactivates");
    }
}
