using System.Threading.Channels;

namespace Orleans.Timers.Scalable.Tests;

[Collection(nameof(VirtualTimeSilo))]
public sealed class GrainPeriodicTimerTests(TwoSilos silos, VirtualTimeSilo virtualTime)
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    [Fact]
    public async Task WaitForNextTickAsync_ClockIsAdvanced_TicksWhenDueAndKeepsOneTickAtMost()
    {
        virtualTime.AdvanceToTick();
        await virtualTime.Silo.NewGrain().Run(self =>
        {
            using var timer = self.Delays.CreatePeriodicTimer(s_hour);
            var first = timer.WaitForNextTickAsync();
            virtualTime.Clock.Advance(s_hour - s_instant);
            Assert.False(first.IsCompleted);
            virtualTime.Clock.Advance(s_instant);
            Assert.True(first.IsCompletedSuccessfully);

            virtualTime.Clock.Advance(s_hour * 5);
            Assert.True(timer.WaitForNextTickAsync().IsCompletedSuccessfully);
            var next = timer.WaitForNextTickAsync();
            Assert.False(next.IsCompleted);
            virtualTime.Clock.Advance(s_hour);
            Assert.True(next.IsCompletedSuccessfully);
            return Task.CompletedTask;
        }).Guarded("the script ends");
    }

    // Seen to fail without registering the timer with the token: the wait never ends.
    [Fact]
    public async Task WaitForNextTickAsync_GrainDeactivates_TheLoopLetsCallsThroughAndEndsFirst()
    {
        foreach (var silo in new[] { silos.First, silos.Second })
        {
            // The grain is not reentrant.
            var grain = silo.NewShortLivedGrain();
            var loop = await BeginLoop(grain);
            for (var i = 0; i < 5; i++)
            {
                await loop.NextTick();
                await grain.Activate().Guarded("a call runs beside the loop");
            }

            var hadEnded = new TaskCompletionSource<bool>();
            grain.On(GrainMoment.Deactivation, async (_, cancellationToken) =>
            {
                await loop.Ended.WaitAsync(cancellationToken);
                hadEnded.SetResult(loop.Ended.IsCompletedSuccessfully);
            });

            await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

            Assert.True(await hadEnded.Task.Guarded("the loop has been awaited"));
        }
    }

    [Fact]
    public async Task WaitForNextTickAsync_DeactivationHasBegun_IsFalseEvenIfATickIsDue()
    {
        var grain = virtualTime.Silo.NewGrain();
        var (timer, activation) = await grain.Get(
            static self => (self.Delays.CreatePeriodicTimer(s_hour), self.GrainContext));
        virtualTime.Clock.Advance(s_hour);

        activation.BeginDeactivation();
        var tick = timer.WaitForNextTickAsync();

        Assert.True(tick.IsCompletedSuccessfully);
        Assert.False(await tick);
        await activation.Deactivated.Guarded("the grain deactivates");
    }

    [Fact]
    public async Task WaitForNextTickAsync_CallersTokenIsCancelled_ThrowsAndTheTimerGoesOn() =>
        await silos.First.NewGrain().Run(static async self =>
    {
        using var timer = self.Delays.CreatePeriodicTimer(s_hour);
        using var cancellation = new CancellationTokenSource();
        var tick = timer.WaitForNextTickAsync(cancellation.Token);
        await cancellation.CancelAsync();
        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await tick);
        Assert.Equal(cancellation.Token, error.CancellationToken);

        timer.Period = s_period;
        Assert.Equal(s_period, timer.Period);
        Assert.True(await timer.WaitForNextTickAsync());
    }).Guarded("the cancelled wait ends, and the next one by its period");

    /// <summary>Activates the grain, and makes the activation begin a loop.</summary>
    private static async Task<Ticking> BeginLoop(IScriptedGrain grain)
    {
        var loop = new Ticking();
        grain.On(GrainMoment.Activation, self => loop.Run(self).Ignore());
        await grain.Activate();
        return loop;
    }

    /// <summary>A loop that runs in a grain outside any call.</summary>
    private sealed class Ticking
    {
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly Channel<bool> _ticks = Channel.CreateUnbounded<bool>();

        internal Task Ended => _ended.Task;

        internal Task<bool> NextTick() =>
            _ticks.Reader.ReadAsync(TestContext.Current.CancellationToken).AsTask().Guarded("the loop ticks");

        internal async Task Run(ScriptableGrain self)
        {
            var grain = Place.Current(self);
            using var timer = self.Delays.CreatePeriodicTimer(s_period);
            while (await timer.WaitForNextTickAsync())
            {
                Assert.Equal(grain, Place.Current(self));
                _ticks.Writer.TryWrite(true);
            }

            // The activation and its services may be gone by now.
            Assert.Same(grain.Scheduler, TaskScheduler.Current);
            _ended.SetResult();
        }
    }
}
