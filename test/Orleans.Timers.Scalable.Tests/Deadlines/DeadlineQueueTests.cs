using Orleans.Timers.Scalable.Deadlines;
using Orleans.Timers.Scalable.Messaging;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>How long a request waits for its turn, and whether that counts.</summary>
[Collection(typeof(DeadlineSilos))]
public sealed class DeadlineQueueTests(DeadlineSilos silos)
{
    private static readonly TimeSpan s_wait = TimeSpan.FromMilliseconds(400);

    public enum Caller
    {
        Client,
        SameSilo,
        OtherSilo,
    }

    [Theory]
    [InlineData(Caller.Client, false)]
    [InlineData(Caller.SameSilo, false)]
    [InlineData(Caller.OtherSilo, false)]
    [InlineData(Caller.Client, true)]
    [InlineData(Caller.OtherSilo, true)]
    public async Task Request_BudgetIsSpentInTheQueue_IsNotRun(Caller caller, bool methodHasAResponseTimeout)
    {
        var (factory, id) = (FactoryOf(caller), Guid.NewGuid());
        using var refused = silos.First.ServiceProvider.Count(DeadlineCounts.RefusedName);
        var waitAndRelease = await Block(id);
        var hasRun = false;
        Task queued;
        using (CallDeadline.Begin(s_wait / 2))
        {
            queued = Call(factory.GetGrain<IDeadlineProbeGrain>(id), methodHasAResponseTimeout, () => hasRun = true);
        }

        await waitAndRelease();

        var error = await Assert.ThrowsAsync<TimeoutException>(() => queued.Guarded("the queued request is answered"));
        Assert.Contains("was not run", error.Message, StringComparison.Ordinal);
        Assert.False(hasRun);
        Assert.Equal(1, refused.By(DeadlineCounts.Callee));
    }

    // A request in time used to be refused, because the process stood still while it waited.
    [Fact]
    public async Task Request_BudgetIsSpentDuringAStall_IsRunWithinTheGrace()
    {
        var id = Guid.NewGuid();
        var waitAndRelease = await Block(id);
        TimeSpan? remaining = null;
        Task queued;
        using (CallDeadline.Begin(s_wait / 2))
        {
            queued = Call(
                silos.Client.GetGrain<IDeadlineProbeGrain>(id), false, () => remaining = CallDeadline.Remaining);
        }

        using (DeadlineSilos.StoodStill(silos.First.ServiceProvider))
        {
            await waitAndRelease();
            await queued.Guarded("the queued request is run");
        }

        Assert.InRange(remaining!.Value, TimeSpan.Zero, Stalls.Grace);
    }

    [Theory]
    [InlineData(Caller.Client)]
    [InlineData(Caller.SameSilo)]
    [InlineData(Caller.OtherSilo)]
    public async Task Request_WaitsInTheQueue_IsChargedForItsWaitOnly(Caller caller)
    {
        var (factory, id) = (FactoryOf(caller), Guid.NewGuid());
        var waitAndRelease = await Block(id);
        TimeSpan? inQueued = null;
        TimeSpan left = default;
        Task queued;
        var start = TimeProvider.System.GetTimestamp();
        using (CallDeadline.Begin(DeadlineCalls.Long))
        {
            queued = Call(factory.GetGrain<IDeadlineProbeGrain>(id), withAResponseTimeout: false, () =>
            {
                inQueued = CallDeadline.Remaining;
                left = DeadlineCalls.Long - TimeProvider.System.GetElapsedTime(start);
            });
        }

        await waitAndRelease();
        await queued.Guarded("the queued request is run");

        Assert.True(inQueued <= DeadlineCalls.Long - (s_wait / 2), $"{inQueued} left after {s_wait} in the queue");
        Assert.True(
            inQueued >= left - TimeSpan.FromMilliseconds(1), $"{inQueued} left, {left} by the clock of the caller");
    }

    /// <remarks>
    /// The message of the stock silo lives for 12 seconds, but the header that it passes on was written for a message
    /// that lives for 30. Code that took the difference for a wait would refuse the request. Seen to fail without the
    /// mark in <see cref="QueueTime"/>: the request was refused.
    /// </remarks>
    [Fact]
    public async Task Request_HeaderIsFromAnotherMessage_IsNotRefused()
    {
        var id = Guid.NewGuid();
        await silos.Second.Grains().GetGrain<IDeadlineProbeGrain>(id).Activate();
        var middle = await silos.First.Grains().NewGrainIn(silos.Stock);
        TimeSpan? inInner = null;
        using (CallDeadline.Begin(TimeSpan.FromSeconds(9)))
        {
            await middle.Run(_ => Call(
                silos.Stock.Grains().GetGrain<IDeadlineProbeGrain>(id),
                withAResponseTimeout: false,
                () => inInner = CallDeadline.Remaining));
        }

        Assert.InRange(inInner!.Value, TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(9));
    }

    private IGrainFactory FactoryOf(Caller caller) => caller switch
    {
        Caller.Client => silos.Client,
        Caller.SameSilo => silos.First.Grains(),
        _ => silos.Second.Grains(),
    };

    /// <summary>Keeps a grain of the first silo busy.</summary>
    /// <returns>A function that waits, and then ends the request.</returns>
    private async Task<Func<Task>> Block(Guid id)
    {
        var grain = silos.First.Grains().GetGrain<IDeadlineProbeGrain>(id);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var call = await grain.BeginWait(_ => new ValueTask(release.Task));
        return async () =>
        {
            await Task.Delay(s_wait);
            release.SetResult();
            await call.Guarded("the blocking request ends");
        };
    }

    private static async Task Call(IDeadlineProbeGrain grain, bool withAResponseTimeout, Action action)
    {
        var script = Scripts.Leave(_ =>
        {
            action();
            return Task.CompletedTask;
        });
        await (withAResponseTimeout ? grain.RunWithAResponseTimeout(script) : grain.RunScript(script));
    }
}
