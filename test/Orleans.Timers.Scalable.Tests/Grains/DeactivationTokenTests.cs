using Orleans.Core.Internal;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

public sealed class DeactivationTokenTests(TwoSilos silos)
{
    private static readonly DeactivationReason s_byTheTest = new(
        DeactivationReasonCode.ApplicationRequested, "by the test");

    public static TheoryData<string> Ways => ["outside", "itself", "management", "migration"];

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task DeactivationToken_ACallAwaitsIt_EndsTheCallSoThatTheGrainCanDeactivate(string way)
    {
        // Task.Delay stands for any method that takes a token. Calibrated by returning CancellationToken.None: the wait
        // never ends in any of the ways.
        foreach (var silo in (InProcessSiloHandle[])[silos.First, silos.Second])
        {
            var grain = silo.NewGrain();
            var call = await grain.BeginWait(
                static self => new ValueTask(Task.Delay(Timeout.InfiniteTimeSpan, self.Delays.DeactivationToken)));
            var activation = silos.Activation(grain);

            await Deactivate(grain, activation, way);

            await Assert.ThrowsAnyAsync<OperationCanceledException>(
                () => call.Guarded("what the call awaits is cancelled"));
            await activation.Deactivated.Guarded("the grain deactivates");
        }
    }

    [Fact]
    public async Task DeactivationToken_DeactivationHasBegun_IsCancelledAtOnce()
    {
        for (var i = 0; i < 20; i++)
        {
            var grain = silos.Second.NewGrain();
            var token = await grain.Get(static self => self.Delays.DeactivationToken);
            var activation = silos.Activation(grain);
            Assert.True(token.CanBeCanceled);
            Assert.False(token.IsCancellationRequested);

            activation.Deactivate(s_byTheTest, CancellationToken.None);

            Assert.True(token.IsCancellationRequested);
            await activation.Deactivated.Guarded("the grain deactivates");
        }
    }

    [Fact]
    public async Task DeactivationToken_InOnDeactivateAsync_IsCancelled()
    {
        var wasCancelled = new TaskCompletionSource<bool>();
        var grain = silos.First.NewGrain();
        grain.On(GrainMoment.Deactivation, (self, _) =>
        {
            wasCancelled.SetResult(self.Delays.DeactivationToken.IsCancellationRequested);
            return Task.CompletedTask;
        });
        await grain.Activate();

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

        Assert.True(await wasCancelled.Task);
    }

    [Fact]
    public async Task DeactivationToken_OnActivateAsyncAwaitsIt_EndsTheActivation()
    {
        var waiting = new TaskCompletionSource<IGrainContext>();
        var ended = new TaskCompletionSource<Exception?>();
        var grain = silos.Second.NewGrain();
        grain.On(GrainMoment.Activation, async (self, _) =>
        {
            grain.On(GrainMoment.Activation, static (_, _) => Task.CompletedTask);
            waiting.SetResult(self.GrainContext);
            ended.SetResult(
                await Record.ExceptionAsync(() => Task.Delay(Timeout.InfiniteTimeSpan, self.Delays.DeactivationToken)));
        });
        var call = grain.Activate();
        var activation = await waiting.Task.Guarded("the grain waits in its activation");

        activation.Deactivate(s_byTheTest, CancellationToken.None);

        Assert.IsAssignableFrom<OperationCanceledException>(
            await ended.Task.Guarded("what the activation awaits is cancelled"));
        await activation.Deactivated.Guarded("the grain deactivates");
        await Record.ExceptionAsync(() => call.Guarded("the call ends, in a new activation or with an error"));
    }

    [Fact]
    public async Task DeactivationToken_OfOneStatelessWorker_IsNotTheOthers()
    {
        // There is one worker in each silo, with one identity.
        var id = Guid.NewGuid();
        var here = silos.First.Grains().GetGrain<IScriptedWorker>(id);
        var there = silos.Second.Grains().GetGrain<IScriptedWorker>(id);
        var tokenHere = await here.Get(static self => self.Delays.DeactivationToken);
        var (tokenThere, activationThere) = await there.Get(
            static self => (self.Delays.DeactivationToken, self.GrainContext));

        activationThere.Deactivate(s_byTheTest, CancellationToken.None);
        await activationThere.Deactivated.Guarded("the worker of one silo deactivates");

        Assert.True(tokenThere.IsCancellationRequested);
        Assert.False(tokenHere.IsCancellationRequested);
    }

    [Fact]
    public async Task DeactivationToken_ARegistrationThrowsOrBlocks_TheGrainDeactivatesAndDelaysEnd()
    {
        // Calibrated by running the callbacks at the beginning of the deactivation: Deactivate throws, or hangs under
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

        activation.Deactivate(s_byTheTest, CancellationToken.None);
        gate.Set();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => call.Guarded("the delay ends in spite of the other registrations"));
        await activation.Deactivated.Guarded("the grain deactivates");
    }

    [Fact]
    public async Task Delay_TheGrainDeactivates_ThrowsWithTheToken()
    {
        var grain = silos.First.NewGrain();
        CancellationToken token = default;
        var call = await grain.BeginWait(self =>
        {
            token = self.Delays.DeactivationToken;
            return self.Delays.Delay(Timeout.InfiniteTimeSpan);
        });

        await silos.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the delay ends"));
        Assert.Equal(token, error.CancellationToken);
    }

    private Task Deactivate(IScriptedGrain grain, IGrainContext activation, string way)
    {
        switch (way)
        {
            case "outside":
                activation.Deactivate(s_byTheTest, CancellationToken.None);
                return Task.CompletedTask;
            case "itself":
                return grain.Run(static self =>
                {
                    self.DeactivateOnIdle();
                    return Task.CompletedTask;
                });
            case "management":
                return grain.Cast<IGrainManagementExtension>().DeactivateOnIdle().AsTask();
            default:
                var target = silos.Cluster.Silos.Single(
                    silo => !silo.SiloAddress.Equals(activation.Address.SiloAddress));
                return silos.Cluster.MigrateAsync(grain, target.SiloAddress).Guarded("the grain migrates");
        }
    }
}
