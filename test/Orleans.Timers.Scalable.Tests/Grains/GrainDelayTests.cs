using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class GrainDelayTests(TwoSilos silos, VirtualTimeSilo virtualTime)
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);
    private static readonly DeactivationReason s_byTheTest = new(DeactivationReasonCode.ApplicationRequested, "by the test");

    [Fact]
    public async Task Delay_TimePasses_ContinuesInTheGrain() => await silos.First.NewGrain().Run(static async self =>
    {
        var grain = Place.Current(self);
        for (var i = 0; i < 20; i++)
        {
            await self.Delays.Delay(TimeSpan.FromMilliseconds(i));
            Assert.Equal(grain, Place.Current(self));
        }
    }).Guarded("the grain has waited twenty times");

    [Fact]
    public async Task Delay_IsCancelledByAnotherThread_ContinuesInTheGrain() => await silos.First.NewGrain().Run(static async self =>
    {
        var grain = Place.Current(self);
        using var cancellation = new CancellationTokenSource();
        var pending = self.Delays.Delay(Timeout.InfiniteTimeSpan, cancellation.Token);
        ThreadPool.UnsafeQueueUserWorkItem(static cancellation => cancellation.Cancel(), cancellation, preferLocal: false);

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
    public async Task DelayIgnoringDeactivation_TimePasses_ContinuesInTheGrain() => await silos.First.NewGrain().Run(static async self =>
    {
        var grain = Place.Current(self);
        await self.Delays.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(20));
        Assert.Equal(grain, Place.Current(self));
    }).Guarded("the delay ends");

    [Fact]
    public async Task Delay_ManyCallsWaitInOneGrain_OneRunsAtATime()
    {
        // Calibrated by dropping UseSchedulingContext in DelayEntry.OnCompleted, so that delays resume on the pool: fails in its first run.
        var inside = 0;
        var met = 0;
        var counted = 0;
        var grain = silos.First.NewGrain();

        await Task.WhenAll(Enumerable.Range(0, 50).Select(call => grain.Run(async self =>
        {
            for (var i = 0; i < 20; i++)
            {
                await self.Delays.Delay(TimeSpan.FromMilliseconds((call + i) % 8));
                met += Interlocked.Exchange(ref inside, 1);
                var count = counted;
                Thread.SpinWait(2000);
                counted = count + 1;
                Volatile.Write(ref inside, 0);
            }
        }))).Guarded("a thousand delays in one grain end");

        Assert.Equal((0, 1000), (met, counted));
    }

    [Fact]
    public async Task Delay_ManyDueTimesInBothSilos_NoneIsEarly()
    {
        var seed = Environment.TickCount;
        var random = new Random(seed);
        var dueTimes = Enumerable.Range(0, 400).Select(_ => TimeSpan.FromMicroseconds(random.Next(1, 700_000))).ToList();
        var early = new List<string>();

        await Task.WhenAll(dueTimes.Select((dueTime, i) => (i % 2 == 0 ? silos.First : silos.Second).NewGrain().Run(async self =>
        {
            var start = Stopwatch.GetTimestamp();
            await self.Delays.Delay(dueTime);
            var elapsed = Stopwatch.GetElapsedTime(start);
            if (elapsed < dueTime)
            {
                lock (early)
                {
                    early.Add($"{elapsed} instead of {dueTime}");
                }
            }
        }))).Guarded("delays of less than a second end");

        Assert.True(early.Count == 0, $"Seed {seed}: {early.Count} were early: {string.Join(", ", early.Take(5))}.");
    }

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
    public async Task Delay_ClockIsAdvanced_TheCallGoesOn()
    {
        var call = await virtualTime.Silo.NewGrain().BeginWait(static self => self.Delays.Delay(s_hour));
        virtualTime.Clock.Advance(s_hour);
        await call.Guarded("the call that waited for an hour ends");
    }

    [Fact]
    public async Task Delay_OfZero_IsOverAtOnce() => await silos.First.NewGrain().Run(static self =>
    {
        Assert.True(self.Delays.Delay(TimeSpan.Zero).IsCompletedSuccessfully);
        Assert.True(self.Delays.DelayIgnoringDeactivation(TimeSpan.Zero).IsCompletedSuccessfully);
        return Task.CompletedTask;
    });

    [Fact]
    public async Task Delay_DueTimeIsNegative_Throws() => await silos.First.NewGrain().Run(static async self =>
    {
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>("dueTime", async () => await self.Delays.Delay(TimeSpan.FromMilliseconds(-2)));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>("dueTime", async () => await self.Delays.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(-2)));
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Delay_CallersTokenIsCancelled_ThrowsWithThatToken(bool ignoringDeactivation) => await silos.First.NewGrain().Run(async self =>
    {
        using var cancellation = new CancellationTokenSource();
        var pending = ignoringDeactivation
            ? self.Delays.DelayIgnoringDeactivation(Timeout.InfiniteTimeSpan, cancellation.Token)
            : self.Delays.Delay(Timeout.InfiniteTimeSpan, cancellation.Token);
        Assert.False(pending.IsCompleted);
        await cancellation.CancelAsync();

        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await pending);

        Assert.Equal(cancellation.Token, error.CancellationToken);
    }).Guarded("the cancelled delay ends");

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Delay_CallersTokenHasBeenCancelled_ThrowsAtOnceWithThatToken(bool ignoringDeactivation) => await silos.First.NewGrain().Run(async self =>
    {
        var cancelled = new CancellationToken(canceled: true);
        var pending = ignoringDeactivation
            ? self.Delays.DelayIgnoringDeactivation(Timeout.InfiniteTimeSpan, cancelled)
            : self.Delays.Delay(Timeout.InfiniteTimeSpan, cancelled);
        Assert.True(pending.IsCanceled);

        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await pending);

        Assert.Equal(cancelled, error.CancellationToken);
    });

    [Fact]
    public async Task Delay_InterleavedCallDeactivatesTheGrain_IsCancelledWithoutTheCallersToken()
    {
        using var cancellation = new CancellationTokenSource();
        var grain = silos.First.NewGrain();
        var call = await grain.BeginWait(self => self.Delays.Delay(Timeout.InfiniteTimeSpan, cancellation.Token));
        var activation = silos.Activation(grain);

        await grain.Run(static self =>
        {
            self.DeactivateOnIdle();
            return Task.CompletedTask;
        });

        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the delay of a deactivating grain ends"));
        Assert.NotEqual(cancellation.Token, error.CancellationToken);
        await activation.Deactivated.Guarded("the grain deactivates");
    }

    [Fact]
    public async Task Delay_GrainIsDeactivatedFromOutside_IsCancelled()
    {
        var grain = silos.First.NewGrain();
        var call = await grain.BeginWait(static self => self.Delays.Delay(Timeout.InfiniteTimeSpan));

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates while a call waits in it");

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the delay of a deactivated grain ends"));
    }

    [Fact]
    public async Task Delay_LeftBehindInAnIdleGrainThatIsCollected_IsCancelled()
    {
        var left = new TaskCompletionSource<Exception?>();
        var grain = silos.First.NewGrain();
        await grain.Run(self =>
        {
            _ = Leave(self.Delays);
            return Task.CompletedTask;
        });

        await silos.First.Grains().GetGrain<IManagementGrain>(0).ForceActivationCollection(TimeSpan.Zero).Guarded("idle grains are collected");

        Assert.IsAssignableFrom<OperationCanceledException>(await left.Task.Guarded("the delay of a collected grain ends"));

        async Task Leave(IGrainDelay delays) =>
            left.SetResult(await Record.ExceptionAsync(async () => await delays.Delay(Timeout.InfiniteTimeSpan)));
    }

    [Fact]
    public async Task Delay_GrainMigrates_IsCancelledAndTheNewActivationHasItsOwn()
    {
        var grain = silos.First.NewGrain();
        var call = await grain.BeginWait(static self => self.Delays.Delay(Timeout.InfiniteTimeSpan));

        await silos.Cluster.MigrateAsync(grain, silos.Second.SiloAddress).Guarded("the grain migrates while a call waits in it");

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the delay of a migrated grain ends"));
        await grain.Run(async self =>
        {
            Assert.Equal(silos.Second.SiloAddress, self.Services.GetRequiredService<ILocalSiloDetails>().SiloAddress);
            await self.Delays.Delay(TimeSpan.FromMilliseconds(10));
        }).Guarded("the migrated grain waits");
    }

    [Fact]
    public async Task Delay_InARetryLoop_EndsTheLoopSoThatTheGrainCanDeactivate()
    {
        var rounds = 0;
        var looping = new TaskCompletionSource();
        var grain = silos.First.NewGrain();
        var call = grain.Run(async self =>
        {
            while (true)
            {
                try
                {
                    if (++rounds == 3)
                    {
                        looping.SetResult();
                    }

                    throw new InvalidOperationException("What is tried never works.");
                }
                catch (InvalidOperationException)
                {
                }

                await self.Delays.Delay(TimeSpan.FromMilliseconds(1));
            }
        });
        await looping.Task.Guarded("the loop is in its third round");

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates in spite of the loop");

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the loop ends"));
    }

    [Fact]
    public async Task Delay_BegunOnceDeactivationHasBegun_IsCancelledAtOnce()
    {
        for (var i = 0; i < 20; i++)
        {
            IGrainDelay? delays = null;
            var grain = silos.First.NewGrain();
            await grain.Run(self =>
            {
                delays = self.Delays;
                return Task.CompletedTask;
            });
            var activation = silos.Activation(grain);

            // With nothing in between, so that only what happens within the call can cancel the delays.
            activation.Deactivate(s_byTheTest, CancellationToken.None);
            var (endless, brief) = (delays!.Delay(Timeout.InfiniteTimeSpan), delays.Delay(TimeSpan.FromMilliseconds(1)));

            Assert.True(endless.IsCanceled);
            Assert.True(brief.IsCanceled);
            await activation.Deactivated.Guarded("the grain deactivates");
        }
    }

    [Fact]
    public async Task Delay_BegunByACallOnceDeactivationHasBegun_IsCancelledAndTheGrainDeactivates()
    {
        var running = new TaskCompletionSource();
        var deactivating = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var grain = silos.First.NewGrain();
        var call = grain.Run(async self =>
        {
            running.SetResult();
            await deactivating.Task;
            await self.Delays.Delay(Timeout.InfiniteTimeSpan);
        });
        await running.Task.Guarded("the call runs");
        var activation = silos.Activation(grain);

        activation.Deactivate(s_byTheTest, CancellationToken.None);
        deactivating.SetResult();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the call ends"));
        await activation.Deactivated.Guarded("the grain deactivates");
    }

    [Fact]
    public async Task Delay_InOnDeactivateAsync_IsCancelledAtOnce()
    {
        var wasCancelled = new TaskCompletionSource<bool>();
        var grain = silos.First.NewGrain();
        grain.On(GrainMoment.Deactivation, (self, _) =>
        {
            wasCancelled.SetResult(self.Delays.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None).IsCanceled);
            return Task.CompletedTask;
        });
        await grain.Activate();

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

        Assert.True(await wasCancelled.Task);
    }

    [Fact]
    public async Task Delay_OfAServiceThatIsResolvedInOnDeactivateAsync_IsCancelledAtOnce()
    {
        var wasCancelled = new TaskCompletionSource<bool>();
        var grain = silos.First.Grains().GetGrain<ILateGrain>(Guid.NewGuid());
        LateGrain.WhenDeactivating[grain.GetGrainId()] = delays => wasCancelled.SetResult(delays.Delay(Timeout.InfiniteTimeSpan).IsCanceled);
        await grain.Activate();

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

        Assert.True(await wasCancelled.Task);
    }

    [Fact]
    public async Task Delay_InOnActivateAsync_IsCancelledWhenTheGrainDeactivates()
    {
        var waiting = new TaskCompletionSource<IGrainContext>();
        var ended = new TaskCompletionSource<Exception?>();
        var grain = silos.First.NewGrain();
        grain.On(GrainMoment.Activation, async (self, _) =>
        {
            var pending = self.Delays.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None);
            waiting.SetResult(self.GrainContext);
            ended.SetResult(await Record.ExceptionAsync(async () => await pending));
        });
        var call = grain.Activate();
        var activation = await waiting.Task.Guarded("the grain waits in its activation");
        grain.On(GrainMoment.Activation, static (_, _) => Task.CompletedTask);

        activation.Deactivate(s_byTheTest, CancellationToken.None);

        Assert.IsAssignableFrom<OperationCanceledException>(await ended.Task.Guarded("the delay of a grain that activates ends"));
        await activation.Deactivated.Guarded("the grain deactivates");
        await ((Task)call.ContinueWith(static _ => { }, TaskScheduler.Default)).Guarded("the call ends, in a new activation or with an error");
    }

    [Fact]
    public async Task Delay_OfAnotherScopeInTheGrain_LeavesTheGrainsOwnAlone()
    {
        var grain = silos.First.NewGrain();
        var call = await grain.BeginWait(static self => self.Delays.Delay(Timeout.InfiniteTimeSpan));
        var activation = silos.Activation(grain);
        await grain.Run(static async self =>
        {
            await using var scope = self.Services.CreateAsyncScope();
            await scope.ServiceProvider.GetRequiredService<IGrainDelay>().Delay(TimeSpan.FromMilliseconds(1));
        }).Guarded("a delay of a scope within the grain ends");
        Assert.Same(activation, silos.Activation(grain));
        Assert.False(call.IsCompleted);

        activation.Deactivate(s_byTheTest, CancellationToken.None);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the delay of a deactivating grain ends"));
        await activation.Deactivated.Guarded("the grain deactivates");
    }

    [Fact]
    public async Task Delay_OfAnotherScopeInTheGrain_IsCancelledWhenTheGrainDeactivates()
    {
        var grain = silos.First.NewGrain();
        AsyncServiceScope? scope = null;
        var call = await grain.BeginWait(self =>
        {
            scope = self.Services.CreateAsyncScope();
            return scope.Value.ServiceProvider.GetRequiredService<IGrainDelay>().Delay(Timeout.InfiniteTimeSpan);
        });

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the delay of a deactivating grain ends"));
        await scope!.Value.DisposeAsync();
    }

    [Fact]
    public void Delay_AskedForOutsideOfAGrain_IsRefusedWithTheReason()
    {
        using var scope = silos.First.ServiceProvider.CreateScope();

        var error = Assert.Throws<InvalidOperationException>(() => scope.ServiceProvider.GetRequiredService<IGrainDelay>());

        Assert.Contains("activation", error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(TimerService), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task DelayIgnoringDeactivation_InOnDeactivateAsync_TakesItsTime()
    {
        var dueTime = TimeSpan.FromMilliseconds(100);
        var took = new TaskCompletionSource<TimeSpan>();
        var grain = silos.First.NewGrain();
        grain.On(GrainMoment.Deactivation, async (self, cancellationToken) =>
        {
            var start = Stopwatch.GetTimestamp();
            await self.Delays.DelayIgnoringDeactivation(dueTime, cancellationToken);
            took.SetResult(Stopwatch.GetElapsedTime(start));
        });
        await grain.Activate();

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

        Assert.True(took.Task.IsCompletedSuccessfully, "Deactivation did not wait for the delay.");
        Assert.InRange(await took.Task, dueTime, TimeSpan.MaxValue);
    }

    [Fact]
    public async Task DelayIgnoringDeactivation_DeactivationBegins_GoesOnToItsEnd()
    {
        var grain = virtualTime.Silo.NewGrain();
        var witness = await grain.BeginWait(static self => self.Delays.Delay(Timeout.InfiniteTimeSpan));
        var call = await grain.BeginWait(static self => self.Delays.DelayIgnoringDeactivation(s_hour));
        Assert.True(virtualTime.Cluster.TryGetGrainContext(grain.GetGrainId(), out var activation));

        activation.Deactivate(s_byTheTest, CancellationToken.None);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => witness.Guarded("deactivation ends the other delay"));
        virtualTime.Clock.Advance(s_hour - s_instant);
        Assert.False(call.IsCompleted);
        Assert.False(activation.Deactivated.IsCompleted);
        virtualTime.Clock.Advance(s_instant);

        await call.Guarded("the delay ends by its time");
        await activation.Deactivated.Guarded("the grain deactivates");
    }

    [Fact]
    public async Task Delay_GrainIsActivatedAgain_Works()
    {
        var grain = silos.First.NewGrain();
        for (var i = 0; i < 3; i++)
        {
            await grain.Run(static async self => await self.Delays.Delay(TimeSpan.FromMilliseconds(5))).Guarded("the grain waits");
            await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Delay_AwaitedToItsEnd_AllocatesNothing(bool withToken) => await silos.First.NewGrain().Run(self =>
    {
        // On a clock that allocates nothing itself, so that every byte counted on this thread is the delay's.
        var clock = new FrugalClock();
        using var timers = new TimerService(clock: clock);
        using var delays = ActivatorUtilities.CreateInstance<GrainDelay>(self.Services, timers);
        using var cancellation = new CancellationTokenSource();
        var token = withToken ? cancellation.Token : CancellationToken.None;
        Wait(1000);

        var before = GC.GetAllocatedBytesForCurrentThread();
        Wait(1000);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.Equal(0, allocated);
        return Task.CompletedTask;

        void Wait(int times)
        {
            for (var i = 0; i < times; i++)
            {
                var delay = delays.Delay(FrugalClock.Step, token).GetAwaiter();
                clock.Advance();
                delay.GetResult();
            }
        }
    });

    [Fact]
    public async Task Delay_AwaitedInAGrain_AllocatesNoMoreThanAnyAwaitDoes()
    {
        // Orleans allocates a task for each continuation. The baseline is an awaitable that is used again and again and, like the
        // delay, completed on the pool. The process allocates meanwhile too, so the bound is not zero; but a delay object exceeds it.
        const int Rounds = 5000;
        const double Bound = 24;
        await silos.First.NewGrain().Run(static async self =>
        {
            var clock = new FrugalClock();
            using var timers = new TimerService(clock: clock);
            using var delays = ActivatorUtilities.CreateInstance<GrainDelay>(self.Services, timers);
            var baseline = new ReusedAwaitable();
            await Pause(Rounds);
            await Delay(Rounds);
            var start = GC.GetTotalAllocatedBytes(precise: true);
            await Pause(Rounds);
            var middle = GC.GetTotalAllocatedBytes(precise: true);
            await Delay(Rounds);
            var end = GC.GetTotalAllocatedBytes(precise: true);

            var (stock, scalable) = ((double)(middle - start) / Rounds, (double)(end - middle) / Rounds);
            Assert.True(scalable <= stock + Bound, $"{scalable} bytes a delay, {stock} bytes a reused awaitable.");

            async Task Pause(int times)
            {
                for (var i = 0; i < times; i++)
                {
                    await baseline.Begin();
                }
            }

            async Task Delay(int times)
            {
                for (var i = 0; i < times; i++)
                {
                    var delay = delays.Delay(FrugalClock.Step);
                    ThreadPool.UnsafeQueueUserWorkItem(clock, preferLocal: false);
                    await delay;
                }
            }
        }).Guarded("delays on a clock that runs ahead end");
    }

    /// <summary>Where code runs, by everything that Orleans goes by.</summary>
    private sealed record Place(TaskScheduler Scheduler, IGrainContext? Context)
    {
        internal static Place Current(ScriptableGrain grain)
        {
            Assert.NotSame(TaskScheduler.Default, TaskScheduler.Current);
            var place = new Place(TaskScheduler.Current, grain.Services.GetRequiredService<IGrainContextAccessor>().GrainContext);
            Assert.Same(grain.GrainContext, place.Context);
            return place;
        }
    }
}
