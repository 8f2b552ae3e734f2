using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Orleans' own grain timers on the service's clock: the rules of <see cref="GrainTimerCreationOptions"/> and
/// <see cref="IGrainTimer"/>.
/// </summary>
public sealed class GrainTimerTests(TwoSilos silos, VirtualTimeSilo virtualTime)
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);
    private static readonly TimeSpan s_short = TimeSpan.FromMilliseconds(100);

    [Fact]
    public async Task Tick_CallbackRunsForManyPeriods_NoneOverlapsAndThePeriodIsCountedFromItsEnd()
    {
        virtualTime.AdvanceToTick();
        var ticks = new TickLog(virtualTime);
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var over = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var grain = virtualTime.Silo.NewGrain();
        await grain.Register(s_hour, s_hour, async (_, _) =>
        {
            if (ticks.Add() == 1)
            {
                await gate.Task;
                over.SetResult();
            }
        });

        virtualTime.Clock.Advance(s_hour);
        Assert.Equal(s_hour, await ticks.Next());
        virtualTime.Clock.Advance(s_hour * 5);
        await grain.Activate();
        Assert.Equal(1, ticks.Count);
        gate.SetResult();
        await over.Task.Guarded("the first callback ends");
        await grain.Activate();
        virtualTime.Clock.Advance(s_hour - s_instant);
        await grain.Activate();
        Assert.Equal(1, ticks.Count);
        virtualTime.Clock.Advance(s_instant);

        Assert.Equal(s_hour * 7, await ticks.Next());
        await Deactivate(grain);
    }

    [Fact]
    public async Task Tick_InterleaveIsFalse_WaitsForTheRunningCall()
    {
        var (grain, order) = (virtualTime.Silo.NewShortLivedGrain(), new OrderLog());
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await grain.Register(s_hour, Timeout.InfiniteTimeSpan, (_, _) => order.Add("tick"));
        var call = await grain.BeginWait(async _ =>
        {
            await gate.Task;
            await order.Add("call");
        });

        virtualTime.Clock.Advance(s_hour * 2);
        gate.SetResult();
        await call.Guarded("the call ends");

        Assert.Equal(["call", "tick"], await order.Read(2));
        await Deactivate(grain);
    }

    [Fact]
    public async Task Tick_InterleaveIsTrue_RunsBesideTheRunningCall()
    {
        var (grain, order) = (virtualTime.Silo.NewShortLivedGrain(), new OrderLog());
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await grain.Register(s_hour, Timeout.InfiniteTimeSpan, (_, _) => order.Add("tick"), interleave: true);
        var call = await grain.BeginWait(async _ =>
        {
            await gate.Task;
            await order.Add("call");
        });

        virtualTime.Clock.Advance(s_hour);
        Assert.Equal(["tick"], await order.Read(1));
        gate.SetResult();
        await call.Guarded("the call ends");

        Assert.Equal(["call"], await order.Read(1));
        await Deactivate(grain);
    }

    [Fact]
    public async Task Call_ATickRunsThatDoesNotInterleave_WaitsForIt()
    {
        var (grain, order) = (virtualTime.Silo.NewShortLivedGrain(), new OrderLog());
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await grain.Register(s_hour, Timeout.InfiniteTimeSpan, async (_, _) =>
        {
            await order.Add("begun");
            await gate.Task;
            await order.Add("tick");
        });

        virtualTime.Clock.Advance(s_hour);
        Assert.Equal(["begun"], await order.Read(1));
        var call = grain.Run(_ => order.Add("call"));
        gate.SetResult();
        await call.Guarded("the call ends");

        Assert.Equal(["tick", "call"], await order.Read(2));
        await Deactivate(grain);
    }

    [Fact]
    public async Task KeepAlive_OfATimer_DecidesWhetherItsActivationIsCollected()
    {
        // The test runs in real time and in both silos. A test cannot await an event that must not happen, so it waits
        // until other activations have been collected twice.
        InProcessSiloHandle[] both = [silos.First, silos.Second];
        var kept = await Task.WhenAll(both.Select(static silo => Ticking(silo, keepAlive: true)));

        for (var i = 0; i < 2; i++)
        {
            foreach (var let in await Task.WhenAll(both.Select(static silo => Ticking(silo, keepAlive: false))))
            {
                await let.Deactivated.Guarded(
                    "an activation whose timer is not to keep it alive is collected although it ticks");
            }
        }

        Assert.All(kept, static activation => Assert.False(activation.Deactivated.IsCompleted));
        foreach (var activation in kept)
        {
            activation.Deactivate(
                new(DeactivationReasonCode.ApplicationRequested, "The test is over."), CancellationToken.None);
            await activation.Deactivated.Guarded("the activation goes");
        }

        static async Task<IGrainContext> Ticking(InProcessSiloHandle silo, bool keepAlive)
        {
            var grain = silo.NewShortLivedGrain();
            await grain.Register(s_short, s_short, static (_, _) => Task.CompletedTask, keepAlive: keepAlive);
            return await grain.Get(static self => self.GrainContext);
        }
    }

    [Fact]
    public async Task Dispose_InTheCallback_IsTheLastTickAndCancelsItsToken()
    {
        var ticks = new TickLog(virtualTime);
        var wasCancelled = new TaskCompletionSource<(bool Before, bool After)>();
        var grain = virtualTime.Silo.NewGrain();
        await grain.Register(s_hour, s_hour, (timer, cancellationToken) =>
        {
            ticks.Add();
            var before = cancellationToken.IsCancellationRequested;
            timer.Dispose();
            wasCancelled.SetResult((before, cancellationToken.IsCancellationRequested));
            return Task.CompletedTask;
        });

        virtualTime.Clock.Advance(s_hour);
        Assert.Equal((false, true), await wasCancelled.Task.Guarded("the timer ticks"));
        await AdvanceThreeHours(grain);

        Assert.Equal(1, ticks.Count);
        await Deactivate(grain);
    }

    [Fact]
    public async Task Change_InTheCallback_CountsFromTheEndOfTheCallback()
    {
        virtualTime.AdvanceToTick();
        var ticks = new TickLog(virtualTime);
        var grain = virtualTime.Silo.NewGrain();
        await grain.Register(s_hour, s_hour, (timer, _) =>
        {
            if (ticks.Add() == 1)
            {
                timer.Change(s_hour * 3, s_hour * 2);
            }

            return Task.CompletedTask;
        });

        virtualTime.Clock.Advance(s_hour);
        Assert.Equal(s_hour, await ticks.Next());
        await grain.Activate();
        virtualTime.Clock.Advance((s_hour * 3) - s_instant);
        await grain.Activate();
        Assert.Equal(1, ticks.Count);
        virtualTime.Clock.Advance(s_instant);
        Assert.Equal(s_hour * 4, await ticks.Next());
        await grain.Activate();
        virtualTime.Clock.Advance(s_hour * 2);

        Assert.Equal(s_hour * 6, await ticks.Next());
        await Deactivate(grain);
    }

    [Fact]
    public async Task Change_BetweenTicks_StopsAndStartsTheTimer()
    {
        virtualTime.AdvanceToTick();
        var ticks = new TickLog(virtualTime);
        var grain = virtualTime.Silo.NewGrain();
        var timer = await grain.Register(s_hour, s_hour, (_, _) =>
        {
            ticks.Add();
            return Task.CompletedTask;
        });

        await grain.Run(_ =>
        {
            timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            return Task.CompletedTask;
        });
        await AdvanceThreeHours(grain);
        Assert.Equal(0, ticks.Count);
        await grain.Run(_ =>
        {
            timer.Change(s_hour * 2, Timeout.InfiniteTimeSpan);
            return Task.CompletedTask;
        });
        virtualTime.Clock.Advance(s_hour * 2);
        Assert.Equal(s_hour * 5, await ticks.Next());
        await AdvanceThreeHours(grain);

        // The timer's period is infinite now, so it does not tick again.
        Assert.Equal(1, ticks.Count);
        await Deactivate(grain);
    }

    [Fact]
    public async Task Tick_CallbackThrows_TheTimerGoesOn()
    {
        var ticks = new TickLog(virtualTime);
        var grain = virtualTime.Silo.NewGrain();
        await grain.Register(s_hour, s_hour, (_, _) =>
        {
            ticks.Add();
            throw new InvalidOperationException("A callback that fails on purpose.");
        });

        for (var i = 0; i < 3; i++)
        {
            virtualTime.Clock.Advance(s_hour);
            await ticks.Next();
            await grain.Activate();
        }

        await Deactivate(grain);
    }

    [Fact]
    public async Task Tick_GrainHasDeactivated_ComesNoMore()
    {
        var ticks = new TickLog(virtualTime);
        var grain = virtualTime.Silo.NewGrain();
        await grain.Register(s_hour, s_hour, (_, _) =>
        {
            ticks.Add();
            return Task.CompletedTask;
        });
        virtualTime.Clock.Advance(s_hour);
        await ticks.Next();

        await Deactivate(grain);
        await AdvanceThreeHours(grain);

        Assert.Equal(1, ticks.Count);
        await Deactivate(grain);
    }

    private Task Deactivate(IScriptedGrain grain) =>
        virtualTime.Cluster.DeactivateAsync(grain).Guarded("the grain deactivates");

    private async Task AdvanceThreeHours(IScriptedGrain grain)
    {
        for (var i = 0; i < 3; i++)
        {
            virtualTime.Clock.Advance(s_hour);

            // A tick is a message to the grain, which the clock sends. This message comes after it.
            await grain.Activate();
        }
    }
}
