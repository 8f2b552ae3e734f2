using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

[Collection(typeof(Alone))]
public sealed class ActivationDelaysTests(TwoSilos silos)
{
    // Seen to fail with a table that holds its activations.
    [Fact]
    public async Task Deactivation_ThousandActivationsWait_EndsTheirDelaysAndForgetsThem()
    {
        var grains = Enumerable.Range(0, 1000)
            .Select(i => (i % 2 == 0 ? silos.First : silos.Second).NewGrain())
            .ToList();
        var calls = await Task.WhenAll(grains.Select(
            static grain => grain.BeginWait(static self => self.Delays.Delay(Timeout.InfiniteTimeSpan))));
        var activations = await Task.WhenAll(grains.Select(
            static grain => grain.Get(static self => new WeakReference(self.GrainContext))));

        await Task.WhenAll(grains.Select(silos.Cluster.DeactivateAsync)).Guarded("a thousand grains deactivate");

        await Task.WhenAll(calls.Select(static call => Assert.ThrowsAnyAsync<OperationCanceledException>(() => call)))
            .Guarded("a thousand waiting calls are cancelled");
        await Eventually.True(
            () =>
            {
                GC.Collect();
                return activations.Count(static activation => activation.IsAlive) < 10;
            },
            "those that have gone are forgotten");
    }

    [Fact]
    public async Task Deactivation_ActivationFails_EndsItsDelays()
    {
        var ended = new TaskCompletionSource<CancellationToken>();
        var grain = silos.First.NewGrain();
        grain.On(GrainMoment.Activation, self =>
        {
            ended.TrySetResult(self.Delays.DeactivationToken);
            throw new InvalidOperationException("An activation that fails on purpose.");
        });

        await Assert.ThrowsAnyAsync<Exception>(
            () => grain.Activate().Guarded("the call to a grain that cannot activate fails"));

        var token = await ended.Task;
        await Eventually.True(() => token.IsCancellationRequested, "the token of a failed activation is cancelled");
    }

    [Fact]
    public async Task OnNext_AnotherGrainHereOrTheSameIdentityInAnotherSiloDeactivates_EndsNothing()
    {
        // A stateless worker has an activation in each silo, and the tables of both silos get the events of both. A
        // test cannot await an event that must not happen, so there are twenty occasions. Calibrated by ending all
        // delays of the silo, and by dropping the comparison of silos and looking delays up by GrainId: fails.
        var id = Guid.NewGuid();
        var here = silos.First.Grains().GetGrain<IScriptedWorker>(id);
        var there = silos.Second.Grains().GetGrain<IScriptedWorker>(id);
        var callHere = await BeginWait(here, silos.First);
        for (var i = 0; i < 20; i++)
        {
            await BeginWaitAndDeactivate(there, silos.Second);
            await BeginWaitAndDeactivate(silos.First.NewGrain(), silos.First);
            Assert.False(callHere.IsCompleted);
        }

        await Deactivate(here);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => callHere.Guarded("the delay ends when its own grain deactivates"));

        static Task<Task> BeginWait(IScriptedGrain grain, InProcessSiloHandle silo) => grain.BeginWait(self =>
        {
            Assert.Equal(silo.SiloAddress, self.Services.GetRequiredService<ILocalSiloDetails>().SiloAddress);
            return self.Delays.Delay(Timeout.InfiniteTimeSpan);
        });

        static async Task BeginWaitAndDeactivate(IScriptedGrain grain, InProcessSiloHandle silo)
        {
            var call = await BeginWait(grain, silo);
            await Deactivate(grain);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(
                () => call.Guarded("the delay of the deactivating grain ends"));
        }

        static async Task Deactivate(IScriptedGrain grain)
        {
            var activation = await grain.Get(static self =>
            {
                self.DeactivateOnIdle();
                return self.GrainContext;
            });
            await activation.Deactivated.Guarded("the grain deactivates");
        }
    }
}
