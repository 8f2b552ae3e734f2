using Microsoft.Extensions.DependencyInjection;
using Orleans.Core.Internal;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What the caller of a grain gets when the grain deactivates during its call.</summary>
[Collection(nameof(VirtualTimeSilo))]
public sealed class EndedCallTests(TwoSilos silos)
{
    private static readonly CancellationTokenSource s_unused = new();

    // Task.Delay stands for any method that takes a token. The last one was seen to fail with a token for each scope,
    // which is unknown once the scope has been disposed.
    private static readonly Func<ScriptableGrain, ValueTask>[] s_waits =
    [
        static self => self.Delays.Delay(Timeout.InfiniteTimeSpan, s_unused.Token),
        static self => new ValueTask(Task.Delay(Timeout.InfiniteTimeSpan, self.Delays.DeactivationToken)),
        static async self =>
        {
            await using var scope = self.Services.CreateAsyncScope();
            await scope.ServiceProvider.GetRequiredService<IGrainDelay>().Delay(Timeout.InfiniteTimeSpan);
        },
    ];

    // Without EndedCallCopier the callers get the grain's TaskCanceledException, which looks like one of their own.
    // Seen to fail when the token is CancellationToken.None: the wait never ends in any of the ways.
    [Theory]
    [InlineData("outside")]
    [InlineData("itself")]
    [InlineData("management")]
    [InlineData("migration")]
    [InlineData("death of another silo")]
    public async Task Deactivation_CallsWait_CallersEverywhereGetATransientException(string way)
    {
        foreach (var (caller, wait) in
            from caller in new[] { silos.First.Grains(), silos.Second.Grains(), silos.Client }
            from wait in s_waits
            select (caller, wait))
        {
            var grain = silos.First.NewGrain();
            var token = await grain.Get(static self => self.Delays.DeactivationToken);
            var activation = silos.Activation(grain);
            var (call, inGrain) = await BeginCall(caller.GetGrain<IScriptedGrain>(grain.GetPrimaryKey()), wait);

            await Deactivate(grain, activation, way);

            await AssertIsTransient(call, grain);
            Assert.Equal(token, Assert.IsType<TaskCanceledException>(await inGrain).CancellationToken);
            await activation.Deactivated.Guarded("the grain deactivates");
        }
    }

    [Fact]
    public async Task StopOfTheSilo_CallWaits_CallerOnTheOtherSiloGetsATransientException()
    {
        // With a call filter Orleans takes another path, which copies the response later.
        var cluster = await Clusters.Deploy(silos: 2, static (_, silo) => silo.AddScalableTimers()
            .AddIncomingGrainCallFilter(static context => context.Invoke()));
        await using var _ = cluster;
        var grain = cluster.Silo(1).NewGrain();
        await grain.Activate();
        var (call, inGrain) = await BeginCall(
            cluster.Silo(0).Grains().GetGrain<IScriptedGrain>(grain.GetPrimaryKey()),
            static self => self.Delays.Delay(Timeout.InfiniteTimeSpan));

        var stop = cluster.Silo(1).StopSiloAsync(stopGracefully: true);

        await AssertIsTransient(call, grain);
        Assert.IsType<TaskCanceledException>(await inGrain);
        await stop.Guarded("the silo stops");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Cancellation_OfAnotherToken_ReachesTheCallerAsItIs(bool isRemote)
    {
        var grain = silos.First.NewGrain();
        await grain.Activate();
        var (call, _) = await BeginCall(
            (isRemote ? silos.Second : silos.First).Grains().GetGrain<IScriptedGrain>(grain.GetPrimaryKey()),
            static async self =>
            {
                using var own = new CancellationTokenSource();
                await own.CancelAsync();
                await self.Delays.Delay(Timeout.InfiniteTimeSpan, own.Token);
            });

        await Assert.ThrowsAsync<TaskCanceledException>(() => call.Guarded("the call ends"));
    }

    private async Task Deactivate(IScriptedGrain grain, IGrainContext activation, string way)
    {
        switch (way)
        {
            case "outside":
                activation.BeginDeactivation();
                break;
            case "itself":
                await grain.Run(static self =>
                {
                    self.DeactivateOnIdle();
                    return Task.CompletedTask;
                });
                break;
            case "management":
                await grain.Cast<IGrainManagementExtension>().DeactivateOnIdle();
                break;
            case "death of another silo":
                // As Orleans' directory does to grains whose entries were kept by a silo that has died.
                activation.Deactivate(new(DeactivationReasonCode.DirectoryFailure, way), CancellationToken.None);
                break;
            default:
                await silos.Cluster.MigrateAsync(grain, silos.Second.SiloAddress).Guarded("the grain migrates");
                break;
        }
    }

    /// <summary>
    /// Calls a grain, which begins a wait. Returns the call as its caller sees it, and what is thrown in the grain.
    /// </summary>
    private static async Task<(Task Call, Task<Exception?> InGrain)> BeginCall(
        IScriptedGrain grain, Func<ScriptableGrain, ValueTask> wait)
    {
        var begun = new TaskCompletionSource();
        var inGrain = new TaskCompletionSource<Exception?>();
        var call = grain.RunScript(Scripts.Leave(async self =>
        {
            try
            {
                var pending = wait(self);
                begun.SetResult();
                await pending;
                inGrain.SetResult(null);
            }
            catch (Exception exception)
            {
                inGrain.SetResult(exception);
                throw;
            }
        }));
        await begun.Task.Guarded("the grain begins to wait");
        return (call, inGrain.Task);
    }

    private static async Task AssertIsTransient(Task call, IScriptedGrain grain)
    {
        var error = await Assert.ThrowsAsync<SiloUnavailableException>(() => call.Guarded("the call ends"));
        Assert.Contains(grain.GetGrainId().ToString(), error.Message, StringComparison.Ordinal);
        Assert.IsType<TaskCanceledException>(error.InnerException);
    }
}
