using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Grains;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Delays and the token when their activation deactivates.</summary>
[Collection(nameof(VirtualTimeSilo))]
public sealed class GrainDeactivationTests(TwoSilos silos, VirtualTimeSilo virtualTime)
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    // Task.Delay is the control. Failed when a cancelled delay ended inside Cancel: with ConfigureAwait(false) the code
    // after it ran under the canceller's lock.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Cancel_UnderALock_TheWaitingGrainResumesOutsideIt(bool byTaskDelay)
    {
        foreach (var silo in new[] { silos.First, silos.Second })
        {
            var gate = new Lock();
            using var callers = new CancellationTokenSource();
            bool? hasLock = null;
            var call = await silo.NewGrain().BeginWait(self => Wait(self.Delays));
            lock (gate)
            {
                callers.Cancel();
            }

            await call.Guarded("the wait ends");
            Assert.False(hasLock);

            async ValueTask Wait(IGrainDelay delays)
            {
                try
                {
                    await (byTaskDelay
                        ? Task.Delay(s_hour, callers.Token)
                        : delays.Delay(s_hour, callers.Token).AsTask()).ConfigureAwait(false);
                }
                catch (OperationCanceledException)
                {
                    hasLock = gate.IsHeldByCurrentThread;
                }
            }
        }
    }

    // Seen to fail when such a delay ends at once, as it did: grains' loops that catch everything went through 17,000
    // rounds a second in a silo that stopped.
    [Fact]
    public async Task Delay_BegunDuringDeactivation_TakesItsTimeAndASecondAtMost()
    {
        virtualTime.AdvanceToTick();
        var grain = virtualTime.Silo.NewGrain();
        var delays = await grain.Get(static self => self.Delays);
        var activation = virtualTime.Activation(grain);
        Assert.False(delays.DeactivationToken.IsCancellationRequested);

        // Nothing is awaited in between, so only the call itself can cancel the token.
        activation.BeginDeactivation();
        Assert.True(delays.DeactivationToken.IsCancellationRequested);
        var brief = delays.Delay(TimeSpan.FromMilliseconds(10)).AsTask();
        var endless = delays.Delay(Timeout.InfiniteTimeSpan).AsTask();
        var attempt = delays.TryDelay(s_hour).AsTask();
        await activation.Deactivated.Guarded("the grain deactivates");
        Assert.False(brief.IsCompleted);
        virtualTime.Clock.Advance(TimeSpan.FromMilliseconds(10));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => brief.Guarded("the brief delay ends"));
        Assert.False(endless.IsCompleted);
        Assert.False(attempt.IsCompleted);
        virtualTime.Clock.Advance(TimeSpan.FromMilliseconds(990));

        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => endless.Guarded("the endless delay ends"));
        Assert.Equal(delays.DeactivationToken, error.CancellationToken);
        Assert.Contains("is being deactivated", error.Message, StringComparison.Ordinal);
        Assert.False(await attempt.Guarded("the attempt to wait ends"));
    }

    // Seen to fail when what TryDelay returns is always true: the loops do not end.
    [Fact]
    public async Task TryDelay_DeactivationBegins_EndsLoopsInsideAndOutsideOfCalls()
    {
        foreach (var silo in new[] { silos.First, silos.Second })
        {
            var rounds = 0;
            var grain = silo.NewGrain();
            Task outside = Task.CompletedTask;
            var inside = await grain.BeginWait(self =>
            {
                outside = Loop(self.Delays).AsTask();
                return Loop(self.Delays);
            });
            silos.Activation(grain).BeginDeactivation();
            await inside.Guarded("the loop of the call ends");
            await outside.Guarded("the loop outside of calls ends");
            Assert.Equal(0, rounds);

            async ValueTask Loop(IGrainDelay delays)
            {
                while (await delays.TryDelay(s_hour))
                {
                    rounds++;
                }
            }
        }
    }

    // Seen to fail without noting which activations deactivate: the token is not cancelled.
    [Fact]
    public async Task DeactivationToken_OfAServiceThatIsResolvedInOnDeactivateAsync_IsCancelled()
    {
        var wasCancelled = new TaskCompletionSource<bool>();
        var grain = silos.First.NewGrain();
        grain.On(GrainMoment.Deactivation, async (self, _) =>
        {
            await using var scope = self.Services.CreateAsyncScope();
            var delays = scope.ServiceProvider.GetRequiredService<IGrainDelay>();
            wasCancelled.SetResult(delays.DeactivationToken.IsCancellationRequested);
        });
        await grain.Activate();

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

        Assert.True(await wasCancelled.Task);
    }

    // Seen to fail when EndOf does not look for the mark of the deactivation after it has set an end.
    [Fact]
    public async Task DeactivationToken_FirstRequestedWhileDeactivationBegins_IsCancelled()
    {
        for (var i = 0; i < 200; i++)
        {
            var grain = silos.First.NewGrain();
            var delays = await grain.Get(static self => self.Delays);
            var activation = silos.Activation(grain);
            using var start = new Barrier(2);
            var first = Task.Factory.StartNew(
                () =>
                {
                    start.SignalAndWait(HangGuard.Limit);
                    return delays.DeactivationToken;
                },
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default);
            start.SignalAndWait(HangGuard.Limit);
            activation.BeginDeactivation();
            Assert.True((await first).IsCancellationRequested);
        }
    }

    // Seen to fail when injecting makes an end for each activation. A hundred thousand of them cost 45 MB, and made
    // each small collection ten times as long.
    [Fact]
    public async Task End_OfAnActivationThatOnlyInjectsDelays_IsNotMade()
    {
        var grain = silos.First.NewGrain();
        await grain.Activate();
        var activation = silos.Activation(grain);
        Assert.Null(activation.GetComponent<ActivationEnd>());
        var token = await grain.Get(static self => self.Delays.DeactivationToken);
        Assert.Equal(token, activation.GetComponent<ActivationEnd>()?.Token);
    }

    [Fact]
    public async Task Deactivation_OnActivateAsyncWaits_EndsWhatItAwaits()
    {
        var waiting = new TaskCompletionSource<IGrainContext>();
        var ended = new TaskCompletionSource<Exception?>();
        var grain = silos.Second.NewGrain();
        grain.On(GrainMoment.Activation, async (self, _) =>
        {
            grain.On(GrainMoment.Activation, static (_, _) => Task.CompletedTask);
            var pending = self.Delays.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None);
            waiting.SetResult(self.GrainContext);
            ended.SetResult(await Record.ExceptionAsync(async () => await pending));
        });
        var call = grain.Activate();
        var activation = await waiting.Task.Guarded("the grain waits in its activation");

        activation.BeginDeactivation();

        Assert.IsAssignableFrom<OperationCanceledException>(
            await ended.Task.Guarded("the delay of a grain that activates ends"));
        await activation.Deactivated.Guarded("the grain deactivates");
        await Record.ExceptionAsync(() => call.Guarded("the call ends, in a new activation or with an error"));
    }

    [Fact]
    public async Task Scope_OfTheGrainEnds_ItsOwnDelaysGoOn()
    {
        var grain = silos.First.NewGrain();
        var own = await grain.BeginWait(static self => self.Delays.Delay(Timeout.InfiniteTimeSpan));
        var activation = silos.Activation(grain);
        await grain.Run(static async self =>
        {
            await using var scope = self.Services.CreateAsyncScope();
            await scope.ServiceProvider.GetRequiredService<IGrainDelay>().Delay(TimeSpan.FromMilliseconds(1));
        }).Guarded("a delay of a scope within the grain ends");
        Assert.Same(activation, silos.Activation(grain));
        Assert.False(own.IsCompleted);

        activation.BeginDeactivation();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => own.Guarded("its own delay ends with it"));
    }

    // Nobody repeats a one-way call. Task.Delay is the control. Seen to fail with Delay: none of the 20 ends.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task DelayIgnoringDeactivation_InAOneWayCall_TheCodeAfterItRuns(bool byTaskDelay)
    {
        var time = TimeSpan.FromMilliseconds(200);
        var ended = 0;
        var deactivated = new List<Task>();
        for (var i = 0; i < 20; i++)
        {
            var waits = new TaskCompletionSource<IGrainContext>(TaskCreationOptions.RunContinuationsAsynchronously);
            var silo = i % 2 == 0 ? silos.First : silos.Second;
            await silo.Grains().GetGrain<IDeadlineProbeGrain>(Guid.NewGuid()).RunOneWay(Scripts.Leave(async self =>
            {
                var wait = byTaskDelay ? Task.Delay(time) : self.Delays.DelayIgnoringDeactivation(time).AsTask();
                waits.SetResult(self.GrainContext);
                await wait;
                Interlocked.Increment(ref ended);
            }));
            var activation = await waits.Task.Guarded("the one-way call waits");
            activation.BeginDeactivation();
            deactivated.Add(activation.Deactivated);
        }

        await Task.WhenAll(deactivated).Guarded("the grains deactivate");
        Assert.Equal(20, ended);
    }

    [Fact]
    public async Task DeactivationToken_ARegistrationThrowsOrBlocks_TheGrainDeactivatesAndDelaysEnd()
    {
        // Seen to fail when the callbacks run at the beginning of the deactivation: Deactivate throws, or hangs under
        // the activation's lock.
        using var gate = new ManualResetEventSlim();
        var grain = silos.First.NewGrain();
        var call = await grain.BeginWait(self =>
        {
            var token = self.Delays.DeactivationToken;
            token.Register(static () => throw new InvalidOperationException("A registration that fails on purpose."));
            var delay = self.Delays.Delay(Timeout.InfiniteTimeSpan);
            token.Register(() => gate.Wait(HangGuard.Limit));
            return delay;
        });
        var activation = silos.Activation(grain);

        activation.BeginDeactivation();
        gate.Set();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => call.Guarded("the delay ends in spite of the other registrations"));
        await activation.Deactivated.Guarded("the grain deactivates");
    }
}
