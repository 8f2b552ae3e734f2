using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Grains;

namespace Orleans.Timers.Scalable.Tests;

[Collection(typeof(Alone))]
public sealed class ActivationDelaysTests(TwoSilos silos)
{
    // Seen to fail with a table that keeps its activations alive.
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

    // Seen to fail when each thread makes an end of its own: one replaces the other, which no deactivation cancels.
    [Fact]
    public async Task EndOf_TwoThreadsAskFirstAtOnce_IsTheSame()
    {
        var grain = silos.First.NewGrain();
        await grain.Activate();
        var context = silos.Activation(grain);
        var delays = silos.First.ServiceProvider.GetRequiredService<ActivationDelays>();
        var ends = new ActivationEnd[2];
        await Race.Run(
            thread => ends[thread] = delays.EndOf(context),
            () =>
            {
                Assert.Same(ends[0], ends[1]);
                context.SetComponent<ActivationEnd>(null);
            });
    }

    // A stateless worker has an activation in each silo, and both silos get both activations' events.
    [Fact]
    public async Task Deactivation_OfAnotherGrainOrOfTheSameIdentityInAnotherSilo_EndsNothing()
    {
        var id = Guid.NewGuid();
        var here = await BeginWait(silos.First.Grains().GetGrain<IScriptedWorker>(id));
        foreach (var other in new[] { silos.Second.Grains().GetGrain<IScriptedWorker>(id), silos.First.NewGrain() })
        {
            var call = await BeginWait(other);
            await other.Run(static self =>
            {
                self.DeactivateOnIdle();
                return Task.CompletedTask;
            });
            await Assert.ThrowsAnyAsync<OperationCanceledException>(
                () => call.Guarded("the delay of the deactivating grain ends"));
        }

        Assert.False(here.IsCompleted);

        static Task<Task> BeginWait(IScriptedGrain grain) =>
            grain.BeginWait(static self => self.Delays.Delay(Timeout.InfiniteTimeSpan));
    }
}
