using System.Diagnostics;
using System.Threading.Channels;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

public sealed class GrainPeriodicTimerTests(TwoSilos silos, VirtualTimeSilo virtualTime)
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    [Fact]
    public async Task WaitForNextTickAsync_InBothSilos_TicksInTheGrainAndNeverEarly()
    {
        foreach (var silo in (InProcessSiloHandle[])[silos.First, silos.Second])
        {
            await silo.NewGrain().Run(static async self =>
            {
                var grain = Place.Current(self);
                var start = Stopwatch.GetTimestamp();
                using var timer = self.Delays.CreatePeriodicTimer(s_period);
                for (var i = 1; i <= 10; i++)
                {
                    Assert.True(await timer.WaitForNextTickAsync());
                    Assert.Equal(grain, Place.Current(self));
                    Assert.InRange(Stopwatch.GetElapsedTime(start), s_period * i, TimeSpan.MaxValue);
                }
            }).Guarded("ten periods pass");
        }
    }

    [Fact]
    public async Task WaitForNextTickAsync_ClockIsAdvanced_TicksExactlyWhenDueAndOneTickWaitsAtMost()
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

    [Fact]
    public async Task WaitForNextTickAsync_WorkTakesLongerThanThePeriod_TicksDoNotOverlap()
    {
        var (inside, met, ticks) = (0, 0, 0);
        var done = new TaskCompletionSource();
        var grain = silos.First.NewShortLivedGrain();
        grain.On(GrainMoment.Activation, (self, _) =>
        {
            Loop(self).Ignore();
            return Task.CompletedTask;
        });
        await grain.Activate();
        await done.Task.Guarded("the loop has ticked five times");
        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

        Assert.Equal(0, met);

        async Task Loop(ScriptableGrain self)
        {
            using var timer = self.Delays.CreatePeriodicTimer(TimeSpan.FromMilliseconds(5));
            while (await timer.WaitForNextTickAsync())
            {
                met += Interlocked.Exchange(ref inside, 1);
                await Task.Delay(s_period);
                Volatile.Write(ref inside, 0);
                if (++ticks == 5)
                {
                    done.SetResult();
                }
            }
        }
    }

    [Fact]
    public async Task WaitForNextTickAsync_LoopOfAGrainThatIsNotReentrant_LetsCallsThrough()
    {
        var grain = silos.Second.NewShortLivedGrain();
        var loop = await BeginLoop(grain);

        for (var i = 0; i < 5; i++)
        {
            await loop.NextTick();
            await grain.Activate().Guarded("a call runs beside the loop");
        }

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
        await loop.Ended.Guarded("the loop ends");
    }

    [Fact]
    public async Task WaitForNextTickAsync_GrainDeactivates_EndsTheLoopWithFalse()
    {
        // Calibrated by not registering the timer with the token: the wait never ends.
        var grain = silos.First.NewGrain();
        var loop = await BeginLoop(grain);
        await loop.NextTick();

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

        await loop.Ended.Guarded("the loop ends");
    }

    [Fact]
    public async Task WaitForNextTickAsync_OnDeactivateAsyncAwaitsTheLoop_TheLoopEndsFirst()
    {
        foreach (var silo in (InProcessSiloHandle[])[silos.First, silos.Second])
        {
            var grain = silo.NewShortLivedGrain();
            var loop = await BeginLoop(grain);
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
    public async Task WaitForNextTickAsync_DeactivationHasBegun_IsFalseAtOnceAlsoIfATickIsDue()
    {
        var grain = virtualTime.Silo.NewGrain();
        var (timer, activation) = await grain.Get(
            static self => (self.Delays.CreatePeriodicTimer(s_hour), self.GrainContext));
        virtualTime.Clock.Advance(s_hour);

        activation.Deactivate(new(DeactivationReasonCode.ApplicationRequested, "by the test"), CancellationToken.None);
        var tick = timer.WaitForNextTickAsync();

        Assert.True(tick.IsCompletedSuccessfully);
        Assert.False(await tick);
        await activation.Deactivated.Guarded("the grain deactivates");
    }

    [Fact]
    public async Task WaitForNextTickAsync_GrainMigrates_TheLoopEndsHereAndBeginsThere()
    {
        var grain = silos.First.NewGrain();
        var here = await BeginLoop(grain);
        await here.NextTick();

        var there = PrepareLoop(grain);
        await silos.Cluster.MigrateAsync(grain, silos.Second.SiloAddress).Guarded("the grain migrates");
        await here.Ended.Guarded("the loop of the old activation ends");
        await grain.Activate();
        await there.NextTick();

        Assert.Equal(silos.Second.SiloAddress, silos.Activation(grain).Address.SiloAddress);
        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
        await there.Ended.Guarded("the loop of the new activation ends");
    }

    [Fact]
    public async Task WaitForNextTickAsync_StatelessWorkers_EachHasItsOwnLoop()
    {
        var id = Guid.NewGuid();
        var here = silos.First.Grains().GetGrain<IScriptedWorker>(id);
        var there = silos.Second.Grains().GetGrain<IScriptedWorker>(id);
        var loopHere = await BeginLoop(here);
        var loopThere = await BeginLoop(there);
        await loopHere.NextTick();
        await loopThere.NextTick();

        await there.Run(static self =>
        {
            self.DeactivateOnIdle();
            return Task.CompletedTask;
        });
        await loopThere.Ended.Guarded("the loop of the deactivating worker ends");

        for (var i = 0; i < 5; i++)
        {
            await loopHere.NextTick();
        }

        Assert.False(loopHere.Ended.IsCompleted);
        await here.Run(static self =>
        {
            self.DeactivateOnIdle();
            return Task.CompletedTask;
        });
        await loopHere.Ended.Guarded("the other loop ends with its own worker");
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

    [Fact]
    public async Task Dispose_AWaitIsPending_EndsItWithFalse() => await silos.First.NewGrain().Run(static async self =>
    {
        var timer = self.Delays.CreatePeriodicTimer(s_hour);
        var tick = timer.WaitForNextTickAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await timer.WaitForNextTickAsync());
        timer.Dispose();
        Assert.False(await tick);
        Assert.False(await timer.WaitForNextTickAsync());
    }).Guarded("the wait ends");

    [Fact]
    public async Task CreatePeriodicTimer_PeriodIsOutOfRange_Throws() => await silos.First.NewGrain().Run(static self =>
    {
        Assert.Throws<ArgumentOutOfRangeException>("period", () => self.Delays.CreatePeriodicTimer(TimeSpan.Zero));
        Assert.Throws<ArgumentOutOfRangeException>(
            "period", () => self.Delays.CreatePeriodicTimer(TimeSpan.FromMilliseconds(-2)));
        return Task.CompletedTask;
    });

    private static async Task<Ticking> BeginLoop(IScriptedGrain grain)
    {
        var loop = PrepareLoop(grain);
        await grain.Activate();
        return loop;
    }

    /// <summary>Makes the next activation of the grain begin a loop.</summary>
    private static Ticking PrepareLoop(IScriptedGrain grain)
    {
        var loop = new Ticking();
        grain.On(GrainMoment.Activation, (self, _) =>
        {
            loop.Run(self).Ignore();
            return Task.CompletedTask;
        });
        return loop;
    }

    /// <summary>A loop that runs in a grain outside of any call.</summary>
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
