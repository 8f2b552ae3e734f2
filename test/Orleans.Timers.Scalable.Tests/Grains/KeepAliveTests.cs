using System.Collections.Concurrent;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Idle collection of activations that await something outside any call.</summary>
public sealed class KeepAliveTests(TwoSilos silos)
{
    private static readonly TimeSpan s_brief = TimeSpan.FromMilliseconds(30);

    [Fact]
    public async Task KeepAlive_ActivationsThatWait_AreNotCollectedAndOthersAre()
    {
        // A test cannot await an event that must not happen, so it waits until grains that became idle later have been
        // collected. Seen to fail when delays begin without the pin: at the first assertion.
        InProcessSiloHandle[] both = [silos.First, silos.Second];
        var kept = new List<IGrainContext> { await AskedToStay() };
        foreach (var silo in both)
        {
            kept.Add(await Begin(silo, static async delays => await delays.Delay(TimeSpan.FromMinutes(10))));
            kept.Add(await Begin(silo, static async delays =>
            {
                while (!delays.DeactivationToken.IsCancellationRequested)
                {
                    await delays.Delay(s_brief);
                }
            }));
            kept.Add(await Begin(silo, static async delays =>
            {
                while (await delays.TryDelay(s_brief))
                {
                }
            }));
        }

        await Task.Delay(TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
        var ends = new ConcurrentBag<Task<Exception?>>();
        var let = new List<IGrainContext>();
        using var cancellation = new CancellationTokenSource();
        foreach (var silo in both)
        {
            let.Add(await Begin(silo, delays =>
            {
                delays.KeepAlive = false;
                var delay = Record.ExceptionAsync(async () => await delays.Delay(Timeout.InfiniteTimeSpan)).AsTask();
                ends.Add(delay);
                return delay;
            }));
            let.Add(await Begin(silo, static async delays => await delays.Delay(s_brief)));
            let.Add(await Begin(silo, async delays => await delays.Delay(TimeSpan.FromHours(1), cancellation.Token)));
        }

        await cancellation.CancelAsync();
        foreach (var activation in let)
        {
            await activation.Deactivated.Guarded("an activation is collected whose delay is over or does not count");
        }

        Assert.All(
            await Task.WhenAll(ends).Guarded("the delays of collected grains end"),
            static end => Assert.IsAssignableFrom<OperationCanceledException>(end));
        Assert.All(kept, static activation => Assert.False(activation.Deactivated.IsCompleted));
        foreach (var activation in kept)
        {
            activation.BeginDeactivation();
            await activation.Deactivated.Guarded("the loop ends");
        }
    }

    // Seen to fail when DelayDeactivation keeps activations alive instead: the grain's own call of it is lost.
    private Task<IGrainContext> AskedToStay() => silos.First.NewShortLivedGrain().Get(static self =>
    {
        self.DelayDeactivation(TimeSpan.FromMinutes(10));
        _ = self.Delays.Delay(TimeSpan.FromMilliseconds(1)).AsTask();
        return self.GrainContext;
    });

    /// <summary>Makes a new grain begin to wait when it activates.</summary>
    private static async Task<IGrainContext> Begin(InProcessSiloHandle silo, Func<IGrainDelay, Task> wait)
    {
        var grain = silo.NewShortLivedGrain();
        grain.On(GrainMoment.Activation, self => wait(self.Delays).Ignore());
        return await grain.Get(static self => self.GrainContext);
    }
}
