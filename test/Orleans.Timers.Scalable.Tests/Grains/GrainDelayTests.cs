using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Grains;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Delays that elapse, or that their caller cancels.</summary>
[Collection(nameof(VirtualTimeSilo))]
public sealed class GrainDelayTests(TwoSilos silos, VirtualTimeSilo virtualTime)
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    // Seen to fail without UseSchedulingContext in DelayEntry.OnCompleted: delays resume on the pool.
    [Fact]
    public async Task Delay_TimePasses_ContinuesInTheGrain() => await silos.First.NewGrain().Run(static async self =>
    {
        var grain = Place.Current(self);
        for (var i = 0; i < 20; i++)
        {
            await self.Delays.Delay(TimeSpan.FromMilliseconds(i));
            Assert.Equal(grain, Place.Current(self));
        }

        await self.Delays.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(20));
        Assert.Equal(grain, Place.Current(self));
    }).Guarded("the grain has waited twenty times");

    [Fact]
    public async Task Delay_IsCancelledByAnotherThread_ContinuesInTheGrain() =>
        await silos.First.NewGrain().Run(static async self =>
    {
        var grain = Place.Current(self);
        using var cancellation = new CancellationTokenSource();
        var pending = self.Delays.Delay(Timeout.InfiniteTimeSpan, cancellation.Token);
        ThreadPool.UnsafeQueueUserWorkItem(
            static cancellation => cancellation.Cancel(), cancellation, preferLocal: false);

        var resumed = grain;
        try
        {
            await pending;
            Assert.Fail("The delay has ended by its time, which is infinite.");
        }
        catch (OperationCanceledException)
        {
            resumed = Place.Current(self);
        }

        Assert.Equal(grain, resumed);
    }).Guarded("the cancelled delay ends");

    [Fact]
    public async Task Delay_ClockIsAdvanced_EndsExactlyWhenDue()
    {
        virtualTime.AdvanceToTick();
        await virtualTime.Silo.NewGrain().Run(self =>
        {
            var pending = self.Delays.Delay(s_hour);
            virtualTime.Clock.Advance(s_hour - s_instant);
            Assert.False(pending.IsCompleted);
            virtualTime.Clock.Advance(s_instant);
            Assert.True(pending.IsCompletedSuccessfully);
            return Task.CompletedTask;
        }).Guarded("the script ends");
    }

    [Fact]
    public async Task Delay_DueTimeIsZeroOrNegative_IsOverAtOnceOrThrows() =>
        await silos.First.NewGrain().Run(static async self =>
    {
        Assert.True(self.Delays.Delay(TimeSpan.Zero).IsCompletedSuccessfully);
        Assert.True(self.Delays.DelayIgnoringDeactivation(TimeSpan.Zero).IsCompletedSuccessfully);
        var dueTime = TimeSpan.FromMilliseconds(-2);
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>("dueTime", async () => await self.Delays.Delay(dueTime));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            "dueTime", async () => await self.Delays.DelayIgnoringDeactivation(dueTime));
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Delay_CallersTokenIsCancelled_ThrowsWithThatToken(bool ignoring) =>
        await silos.First.NewGrain().Run(async self =>
    {
        using var cancellation = new CancellationTokenSource();
        var pending = Begin();
        Assert.False(pending.IsCompleted);
        await cancellation.CancelAsync();
        var begunLater = Begin();
        Assert.True(begunLater.IsCanceled);

        foreach (var delay in new[] { pending, begunLater })
        {
            var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => delay);
            Assert.Equal(cancellation.Token, error.CancellationToken);
        }

        Task Begin() => ignoring
            ? self.Delays.DelayIgnoringDeactivation(Timeout.InfiniteTimeSpan, cancellation.Token).AsTask()
            : self.Delays.Delay(Timeout.InfiniteTimeSpan, cancellation.Token).AsTask();
    }).Guarded("the cancelled delay ends");

    [Fact]
    public void Delay_AskedForOutsideOfAGrain_IsRefusedWithTheReason()
    {
        using var scope = silos.First.ServiceProvider.CreateScope();

        var error = Assert.Throws<InvalidOperationException>(
            () => scope.ServiceProvider.GetRequiredService<IGrainDelay>());

        Assert.Contains("activation", error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(TimerService), error.Message, StringComparison.Ordinal);
    }

    // Seen to fail when GrainDelay does not look where it comes from: the singleton keeps the first grain's for ever.
    // A service of a grain's own scope may have it.
    [Fact]
    public async Task Delay_AskedForByASingleton_IsRefusedWithTheReason()
    {
        foreach (var silo in new[] { silos.First, silos.Second })
        {
            await silo.NewGrain().Run(static self =>
            {
                var error = Assert.Throws<InvalidOperationException>(
                    () => self.Services.GetRequiredService<KeepsADelay>());
                Assert.Contains("singleton", error.Message, StringComparison.Ordinal);
                var own = ActivatorUtilities.CreateInstance<KeepsADelay>(self.Services);
                self.Delays.KeepAlive = false;
                Assert.False(own.Delays.KeepAlive);
                return Task.CompletedTask;
            });
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task TryDelay_TimePassesOrTheTokenIsCancelled_SaysWhich(bool isOfTheSecond) =>
        await (isOfTheSecond ? silos.Second : silos.First).NewGrain().Run(static async self =>
    {
        var grain = Place.Current(self);
        Assert.True(await self.Delays.TryDelay(TimeSpan.FromMilliseconds(1)));
        Assert.True(await self.Delays.TryDelay(TimeSpan.Zero));
        Assert.Equal(grain, Place.Current(self));
        using var cancellation = new CancellationTokenSource();
        var pending = self.Delays.TryDelay(Timeout.InfiniteTimeSpan, cancellation.Token);
        Assert.False(pending.IsCompleted);
        await cancellation.CancelAsync();
        Assert.False(await pending);
        Assert.False(await self.Delays.TryDelay(TimeSpan.Zero, cancellation.Token));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            "dueTime", async () => await self.Delays.TryDelay(TimeSpan.FromMilliseconds(-2)));
    }).Guarded("the waits end");

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Delay_AwaitedToItsEnd_AllocatesNothing(bool withToken) => await silos.First.NewGrain().Run(self =>
    {
        // The clock allocates nothing itself, so every byte counted on this thread belongs to the delay.
        var dueTime = TimeSpan.FromMilliseconds(50);
        var clock = new HandClock();
        using var timers = new TimerService(new(), clock: clock);
        var silo = ActivatorUtilities.CreateInstance<ActivationDelays>(silos.First.ServiceProvider, timers);
        var delays = ActivatorUtilities.CreateInstance<GrainDelay>(self.Services, silo);
        using var cancellation = new CancellationTokenSource();
        var token = withToken ? cancellation.Token : CancellationToken.None;

        // The least of several rounds counts. The first rounds also pay for compilation, and the runtime itself
        // allocates now and then.
        Assert.Equal(0, Enumerable.Range(0, 10).Min(_ => Wait(1000)));
        return Task.CompletedTask;

        long Wait(int times)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < times; i++)
            {
                var delay = delays.Delay(dueTime, token).GetAwaiter();
                var attempt = delays.TryDelay(dueTime, token).GetAwaiter();
                clock.SkipAndRing(dueTime);
                delay.GetResult();
                Assert.True(attempt.GetResult());
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    });

    /// <summary>Registered as a singleton, which is a mistake.</summary>
    internal sealed class KeepsADelay(IGrainDelay delays)
    {
        internal IGrainDelay Delays => delays;
    }
}
