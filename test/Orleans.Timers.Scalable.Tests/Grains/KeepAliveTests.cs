using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Idle collection of activations that await something outside of any call.</summary>
public sealed class KeepAliveTests(TwoSilos silos)
{
    [Fact]
    public async Task KeepAlive_IsTrue_ActivationsThatWaitAreNotCollectedAndOthersAre()
    {
        // A test cannot await an event that must not happen. So it waits until grains that wait without the option have
        // been collected twice. Calibrated by beginning delays without the pin: the first assertion fails.
        InProcessSiloHandle[] both = [silos.First, silos.Second];
        var kept = new List<IGrainContext>();
        foreach (var silo in both)
        {
            kept.Add(await BeginLoop(silo, static async delays => await delays.Delay(TimeSpan.FromMinutes(10))));
            kept.Add(await BeginLoop(silo, static async delays => await delays.Delay(TimeSpan.FromMilliseconds(30))));
            kept.Add(await BeginLoop(silo, static async delays =>
            {
                using var timer = delays.CreatePeriodicTimer(TimeSpan.FromMilliseconds(100));
                while (await timer.WaitForNextTickAsync())
                {
                }
            }));
        }

        for (var i = 0; i < 2; i++)
        {
            foreach (var let in await Task.WhenAll(both.Select(static silo => BeginLoop(silo, static async delays =>
            {
                delays.KeepAlive = false;
                await delays.Delay(TimeSpan.FromMilliseconds(30));
            }))))
            {
                await let.Deactivated.Guarded(
                    "an activation that is not to be kept alive is collected although it waits");
            }
        }

        Assert.All(kept, static activation => Assert.False(activation.Deactivated.IsCompleted));
        Assert.All(
            kept, static activation => Assert.False(Delays(activation).DeactivationToken.IsCancellationRequested));
        foreach (var activation in kept)
        {
            activation.Deactivate(
                new(DeactivationReasonCode.ApplicationRequested, "The test is over."), CancellationToken.None);
            await activation.Deactivated.Guarded("the loop ends");
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task KeepAlive_TheLastDelayHasEnded_TheActivationIsCollected(bool cancelled)
    {
        using var cancellation = new CancellationTokenSource();
        var grain = silos.First.NewShortLivedGrain();
        var ended = new TaskCompletionSource();
        var activation = await grain.Get(self =>
        {
            _ = Wait(self.Delays);
            return self.GrainContext;
        });
        if (cancelled)
        {
            await cancellation.CancelAsync();
        }

        await ended.Task.Guarded("the delay ends");
        await activation.Deactivated.Guarded("the activation is collected");

        async Task Wait(IGrainDelay delays)
        {
            await Record.ExceptionAsync(async () =>
                await delays.Delay(
                    cancelled ? TimeSpan.FromHours(1) : TimeSpan.FromMilliseconds(50), cancellation.Token));
            ended.SetResult();
        }
    }

    [Fact]
    public async Task DelayDeactivation_OfTheGrainItself_IsLeftAlone()
    {
        // Calibrated by keeping activations alive by DelayDeactivation instead: the grain's own call of it is lost.
        var asked = await silos.First.NewShortLivedGrain().Get(static self =>
        {
            self.DelayDeactivation(TimeSpan.FromMinutes(10));
            _ = self.Delays.Delay(TimeSpan.FromMilliseconds(1)).AsTask();
            return self.GrainContext;
        });

        for (var i = 0; i < 2; i++)
        {
            var let = await silos.First.NewShortLivedGrain().Get(static self => self.GrainContext);
            await let.Deactivated.Guarded("an idle activation is collected");
        }

        Assert.False(asked.Deactivated.IsCompleted);
        asked.Deactivate(new(DeactivationReasonCode.ApplicationRequested, "The test is over."), CancellationToken.None);
        await asked.Deactivated.Guarded("the activation goes");
    }

    private static IGrainDelay Delays(IGrainContext activation) =>
        activation.ActivationServices.GetRequiredService<IGrainDelay>();

    /// <summary>Makes a new grain begin a loop when it activates.</summary>
    private static async Task<IGrainContext> BeginLoop(InProcessSiloHandle silo, Func<IGrainDelay, Task> wait)
    {
        var grain = silo.NewShortLivedGrain();
        grain.On(GrainMoment.Activation, (self, _) =>
        {
            Loop(self.Delays).Ignore();
            return Task.CompletedTask;
        });
        return await grain.Get(static self => self.GrainContext);

        async Task Loop(IGrainDelay delays)
        {
            while (!delays.DeactivationToken.IsCancellationRequested)
            {
                await wait(delays);
            }
        }
    }
}
