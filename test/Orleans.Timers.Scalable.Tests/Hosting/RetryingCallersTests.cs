using Orleans.Runtime.Placement;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What callers notice of a graceful stop. With <c>Task.Delay</c> none of these calls fails.</summary>
public sealed class RetryingCallersTests
{
    private const int Grains = 100;
    private const int Retries = 3;

    // Seen to fail when delays end before the silo is shown as stopping (with slow writes all callers fail), and when
    // the silo does not wait for the retries (half of them).
    [Theory]
    [InlineData(0, 0)]
    [InlineData(700, 0)]
    [InlineData(700, 100)]
    public async Task Stop_CallsWait_CallersThatRetryAreAnsweredByTheOtherSilo(int writeTakes, int pause)
    {
        await using var cluster = await Deploy(TimeSpan.FromMilliseconds(writeTakes));
        var stopping = cluster.Silo(1);
        var grains = Enumerable.Range(0, Grains).Select(_ => stopping.NewGrain()).ToList();
        await Task.WhenAll(grains.Select(static grain => grain.Activate()));
        var begun = 0;
        var script = Scripts.Leave(async self =>
        {
            if (stopping.SiloAddress.Equals(self.GrainContext.Address.SiloAddress))
            {
                Interlocked.Increment(ref begun);
                await self.Delays.Delay(Timeout.InfiniteTimeSpan);
            }
        });
        var calls = grains.Select(
            (grain, i) =>
            {
                var callers = i % 2 == 0 ? cluster.Client : cluster.Silo(0).Grains();
                return Retry(() => callers.GetGrain<IScriptedGrain>(grain.GetPrimaryKey()).RunScript(script), pause);
            }).ToList();
        await Eventually.True(() => Volatile.Read(ref begun) >= Grains, "all grains wait");

        await cluster.StopSiloAsync(stopping).Guarded("the silo stops");

        await Task.WhenAll(calls).Guarded("all calls are answered");
    }

    // Seen to fail when the service stops before the silo is shown as stopping: all get a TaskCanceledException.
    [Theory]
    [InlineData(0)]
    [InlineData(700)]
    public async Task Stop_GrainsWaitInOnActivateAsync_TheOtherSiloActivatesThem(int writeTakes)
    {
        await using var cluster = await Deploy(TimeSpan.FromMilliseconds(writeTakes));
        var stopping = cluster.Silo(1);
        var begun = 0;
        var grains = Enumerable.Range(0, Grains).Select(_ => cluster.Client.GetGrain<IScriptedGrain>(Guid.NewGuid()));
        var calls = grains.Select(grain =>
        {
            grain.On(GrainMoment.Activation, async (self, _) =>
            {
                if (stopping.SiloAddress.Equals(self.GrainContext.Address.SiloAddress))
                {
                    Interlocked.Increment(ref begun);
                    await self.Delays.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None);
                }
            });
            RequestContext.Set(IPlacementDirector.PlacementHintKey, stopping.SiloAddress);
            return Retry(grain.Activate, pause: 0);
        }).ToList();
        RequestContext.Clear();
        await Eventually.True(() => Volatile.Read(ref begun) >= Grains, "all grains wait");

        await cluster.StopSiloAsync(stopping).Guarded("the silo stops");

        await Task.WhenAll(calls).Guarded("all calls are answered");
    }

    // Seen to fail when the silo stays for half a second: the client waits until its call times out.
    [Fact]
    public async Task Stop_AnswerOfAnotherSiloIsStillToPassThroughItsGateway_TheClientGetsIt()
    {
        // The client learns of the second silo's gateway only after a minute.
        await using var cluster = await Clusters.Deploy(silos: 1, static (_, silo) => silo.AddScalableTimers());
        var stopping = cluster.Silo(0);
        var answering = (await cluster.StartAdditionalSiloAsync()).NewGrain();
        await answering.Activate();
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await stopping.NewGrain().BeginWait(async self =>
        {
            await self.Delays.TryDelay(Timeout.InfiniteTimeSpan);
            ended.SetResult();
        });
        var call = await cluster.Client.GetGrain<IScriptedGrain>(answering.GetPrimaryKey()).BeginWait(async _ =>
        {
            await ended.Task;
            await Task.Delay(TimeSpan.FromSeconds(1));
        });

        await cluster.StopSiloAsync(stopping).Guarded("the silo stops");

        await call.Guarded("the client gets its answer");
    }

    // As policies do: a cancellation is the caller's own, and is not retried.
    private static async Task Retry(Func<Task> call, int pause)
    {
        for (var attempt = 0; ; attempt++)
        {
            try
            {
                await call();
                return;
            }
            catch (OrleansException) when (attempt < Retries)
            {
                await Task.Delay(pause);
            }
        }
    }

    private static async Task<InProcessTestCluster> Deploy(TimeSpan writeTakes)
    {
        var cluster = Clusters.Build(
            silos: 2,
            static (_, silo) => silo.AddScalableTimers(),
            configureHost: host => host.ConfigureContainer(new SlowMembership(writeTakes)));
        await cluster.DeployAsync();
        return cluster;
    }
}
