using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Delays when their activation deactivates.</summary>
public sealed partial class GrainDelayTests
{
    private static readonly DeactivationReason s_byTheTest = new(
        DeactivationReasonCode.ApplicationRequested, "by the test");

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

        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => call.Guarded("the delay of a deactivating grain ends"));
        Assert.NotEqual(cancellation.Token, error.CancellationToken);
        Assert.Contains($"Grain {grain.GetGrainId()} is being deactivated", error.Message, StringComparison.Ordinal);
        await activation.Deactivated.Guarded("the grain deactivates");
    }

    [Fact]
    public async Task Delay_GrainIsDeactivatedFromOutside_IsCancelled()
    {
        var grain = silos.First.NewGrain();
        var call = await grain.BeginWait(static self => self.Delays.Delay(Timeout.InfiniteTimeSpan));

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates while a call waits in it");

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => call.Guarded("the delay of a deactivated grain ends"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Delay_GrainIsDeactivated_TellsTheCallerSo(bool keepAlive)
    {
        var running = new TaskCompletionSource();
        var grain = silos.First.NewGrain();
        var call = grain.Run(async self =>
        {
            self.Delays.KeepAlive = keepAlive;
            try
            {
                running.SetResult();
                await self.Delays.Delay(Timeout.InfiniteTimeSpan);
            }
            catch (OperationCanceledException first)
            {
                // A delay that is begun now says the same.
                var second = await Record.ExceptionAsync(
                    async () => await self.Delays.Delay(Timeout.InfiniteTimeSpan));
                throw new InvalidOperationException($"{first.Message}|{second!.Message}");
            }
        });
        await running.Task.Guarded("the call runs");

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates while a call waits in it");

        var told = await Assert.ThrowsAsync<InvalidOperationException>(() => call.Guarded("the call ends"));
        var message = $"Grain {grain.GetGrainId()} is being deactivated, so its delay was cancelled. "
            + "The caller may call it again.";
        Assert.Equal($"{message}|{message}", told.Message);
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

        await silos.First.CollectIdleUntil(left.Task);

        Assert.IsAssignableFrom<OperationCanceledException>(
            await left.Task.Guarded("the delay of a collected grain ends"));

        async Task Leave(IGrainDelay delays) =>
            left.SetResult(await Record.ExceptionAsync(async () => await delays.Delay(Timeout.InfiniteTimeSpan)));
    }

    [Fact]
    public async Task Delay_GrainMigrates_IsCancelledAndTheNewActivationHasItsOwn()
    {
        var grain = silos.First.NewGrain();
        var call = await grain.BeginWait(static self => self.Delays.Delay(Timeout.InfiniteTimeSpan));

        await silos.Cluster.MigrateAsync(grain, silos.Second.SiloAddress)
            .Guarded("the grain migrates while a call waits in it");

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => call.Guarded("the delay of a migrated grain ends"));
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

            // Nothing is awaited in between, so only the call itself can cancel the delays.
            activation.Deactivate(s_byTheTest, CancellationToken.None);
            var (endless, brief) = (
                delays!.Delay(Timeout.InfiniteTimeSpan), delays.Delay(TimeSpan.FromMilliseconds(1)));

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
        LateGrain.WhenDeactivating[grain.GetGrainId()] = delays =>
            wasCancelled.SetResult(delays.Delay(Timeout.InfiniteTimeSpan).IsCanceled);
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

        Assert.IsAssignableFrom<OperationCanceledException>(
            await ended.Task.Guarded("the delay of a grain that activates ends"));
        await activation.Deactivated.Guarded("the grain deactivates");
        await Record.ExceptionAsync(() => call.Guarded("the call ends, in a new activation or with an error"));
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

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => call.Guarded("the delay of a deactivating grain ends"));
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

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => call.Guarded("the delay of a deactivating grain ends"));
        await scope!.Value.DisposeAsync();
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
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => witness.Guarded("deactivation ends the other delay"));
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
            await grain.Run(static async self => await self.Delays.Delay(TimeSpan.FromMilliseconds(5)))
                .Guarded("the grain waits");
            await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
        }
    }
}
