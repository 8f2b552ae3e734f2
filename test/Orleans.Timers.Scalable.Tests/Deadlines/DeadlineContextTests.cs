using Microsoft.Extensions.DependencyInjection;
using Orleans.Streams;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Code that a deadline must not reach, and calls that it must not bound.</summary>
[Collection(nameof(DeadlineTestGroup))]
public sealed class DeadlineContextTests(DeadlineSilos silos)
{
    /// <summary>Short to wait for, and long enough for a request to be begun within it on a busy machine.</summary>
    private static readonly TimeSpan s_short = TimeSpan.FromSeconds(1);

    [Fact]
    public async Task Requests_InterleavedInOneActivation_KeepTheirOwnDeadlines()
    {
        var grain = await silos.Client.NewGrainIn(silos.First);
        var ready = new CountdownEvent(4);
        var goOn = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var minutes = (int?[])[null, 1, 2, null];
        var calls = minutes.Select(budget => Task.Run(async () =>
        {
            using var scope = budget is { } value
                ? GrainDeadline.Begin(TimeSpan.FromMinutes(value))
                : GrainDeadline.Suppress();
            TimeSpan? before = null, after = null;
            await grain.Run(async _ =>
            {
                before = GrainDeadline.Remaining;
                ready.Signal();
                await goOn.Task;
                await Task.Yield();
                after = GrainDeadline.Remaining;
            });
            return (before, after);
        })).ToList();

        await Task.Run(() => ready.Wait(HangGuard.Limit));
        Assert.Null(await DeadlineCalls.RemainingIn(grain));
        goOn.SetResult();
        var seen = await Task.WhenAll(calls).Guarded("the calls end");

        foreach (var (budget, (before, after)) in minutes.Zip(seen))
        {
            Assert.Equal(budget is null, before is null);
            Assert.Equal(budget is null, after is null);
            if (budget is { } value)
            {
                Assert.InRange(
                    before!.Value,
                    TimeSpan.FromMinutes(value) - TimeSpan.FromSeconds(30),
                    TimeSpan.FromMinutes(value) + TimeSpan.FromMilliseconds(1));
                Assert.True(after <= before);
            }
        }
    }

    /// <remarks>Shown to work by letting deadlines outlive their requests: both calls were bound.</remarks>
    [Fact]
    public async Task TaskRun_InsideARequest_HasItsDeadlineUntilTheRequestIsAnswered()
    {
        var inner = silos.Second.NewGrain();
        await inner.Activate();
        var grain = await silos.Client.NewGrainIn(silos.First);
        var answered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        TimeSpan? inside = null, afterwards = TimeSpan.Zero, inCallAfterwards = TimeSpan.Zero;
        Task background = Task.CompletedTask;
        using (GrainDeadline.Begin(s_short))
        {
            await grain.Run(async self =>
            {
                await Task.Run(() => inside = GrainDeadline.Remaining);
                background = Task.Run(async () =>
                {
                    await answered.Task;
                    afterwards = GrainDeadline.Remaining;
                    inCallAfterwards = await DeadlineCalls.RemainingIn(inner.Seen(self));
                });
            });
        }

        await Task.Delay(s_short);
        answered.SetResult();
        await background.Guarded("work goes on after its request");

        Assert.NotNull(inside);
        Assert.Null(afterwards);
        Assert.Null(inCallAfterwards);
    }

    [Fact]
    public async Task GrainTimer_RegisteredUnderADeadline_HasNone()
    {
        var grain = await silos.Client.NewGrainIn(silos.First);
        var inner = silos.Second.NewGrain();
        var ticked = new TaskCompletionSource<(TimeSpan?, TimeSpan?)>(
            TaskCreationOptions.RunContinuationsAsynchronously);
        using (GrainDeadline.Begin(s_short))
        {
            await grain.Run(self =>
            {
                self.RegisterGrainTimer(
                    async _ =>
                        ticked.TrySetResult(
                            (GrainDeadline.Remaining, await DeadlineCalls.RemainingIn(inner.Seen(self)))),
                    new GrainTimerCreationOptions(s_short * 2, Timeout.InfiniteTimeSpan) { Interleave = true });
                return Task.CompletedTask;
            });
        }

        Assert.Equal((null, null), await ticked.Task.Guarded("a grain timer fires"));
    }

    [Fact]
    public async Task Reminder_RegisteredUnderADeadline_HasNone()
    {
        var grain = await silos.Client.NewGrainIn(silos.First);
        var reminded = new TaskCompletionSource<TimeSpan?>(TaskCreationOptions.RunContinuationsAsynchronously);
        grain.On(GrainMoment.Reminder, (_, _) =>
        {
            reminded.TrySetResult(GrainDeadline.Remaining);
            return Task.CompletedTask;
        });
        using (GrainDeadline.Begin(s_short))
        {
            await grain.Run(self => self.RegisterOrUpdateReminder("deadline", s_short * 2, s_short));
        }

        Assert.Null(await reminded.Task.Guarded("a reminder comes"));
        await grain.Run(async self => await self.UnregisterReminder((await self.GetReminder("deadline"))!));
    }

    [Fact]
    public async Task Activation_ByARequestWithADeadline_HasNoneAndIsNotCutShort()
    {
        var inner = silos.Second.NewGrain();
        await inner.Activate();
        var grain = silos.First.NewGrain();
        (TimeSpan?, TimeSpan?) whileActivating = default;
        grain.On(GrainMoment.Activation, async (self, cancellationToken) =>
        {
            await Task.Delay(s_short * 2, cancellationToken);
            whileActivating = (GrainDeadline.Remaining, await DeadlineCalls.RemainingIn(inner.Seen(self)));
        });
        using (GrainDeadline.Begin(s_short))
        {
            // This test does not check whether the request is run after the wait for its activation.
            await Record.ExceptionAsync(grain.Activate);
        }

        Assert.Equal((null, null), whileActivating);
        Assert.Null(await DeadlineCalls.RemainingIn(grain));
    }

    /// <remarks>This test and the next were shown to work by binding one-way calls too: neither call was run.</remarks>
    [Fact]
    public async Task OneWayCall_BudgetIsSpent_IsSentAndRunWithoutADeadline()
    {
        var grain = silos.Client.GetGrain<IDeadlineProbeGrain>(Guid.NewGuid());
        foreach (var budget in new[] { TimeSpan.Zero, DeadlineCalls.Long })
        {
            var run = new TaskCompletionSource<TimeSpan?>(TaskCreationOptions.RunContinuationsAsynchronously);
            var script = Scripts.Leave(_ =>
            {
                run.SetResult(GrainDeadline.Remaining);
                return Task.CompletedTask;
            });
            using (GrainDeadline.Begin(budget))
            {
                await grain.RunOneWay(script);
            }

            Assert.Null(await run.Task.Guarded("a one-way call is run"));
        }
    }

    [Fact]
    public async Task OneWayCall_SpentHeaderComesThroughAStockSilo_IsRun()
    {
        var id = Guid.NewGuid();
        await silos.First.Grains().GetGrain<IDeadlineProbeGrain>(id).Activate();
        var grain = silos.Stock.Grains().GetGrain<IDeadlineProbeGrain>(id);
        var run = new TaskCompletionSource<TimeSpan?>(TaskCreationOptions.RunContinuationsAsynchronously);
        var script = Scripts.Leave(_ =>
        {
            run.SetResult(GrainDeadline.Remaining);
            return Task.CompletedTask;
        });
        RequestContext.Set(GrainDeadline.HeaderKey, 0L);

        await grain.RunOneWay(script);

        Assert.Null(await run.Task.Guarded("a one-way call is run"));
    }

    /// <remarks>Shown to work by binding observers too: they were not notified.</remarks>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Observer_ToldUnderASpentDeadline_IsToldAndHasNone(bool inASilo)
    {
        var factory = inASilo ? silos.First.Grains() : silos.Client;
        var observer = new DeadlineObserver();
        var reference = factory.CreateObjectReference<IDeadlineObserver>(observer);
        var grain = await silos.Client.NewGrainIn(silos.First);
        using (GrainDeadline.Begin(s_short))
        {
            await grain.Run(async _ =>
            {
                await reference.Tell("in time");
                Assert.Null(await observer.Next());
                await DeadlineCalls.Outlast(s_short);
                await reference.Tell("too late");
                Assert.Null(await observer.Next());
            });
        }
    }

    /// <remarks>
    /// When observers were distinguished from grains by their addresses only, this one was not notified.
    /// </remarks>
    [Fact]
    public async Task Observer_IsAGrain_IsToldUnderASpentDeadline()
    {
        var (observer, gate) = (
            silos.Client.GetGrain<ITimedGrain>(Guid.NewGuid()).AsReference<ITimedObserver>(), Guid.NewGuid());
        Gate.Of(gate).Open(7);
        using var scope = GrainDeadline.Begin(TimeSpan.Zero);

        Assert.Equal(7, await observer.Ask(gate).Guarded("the observer answers"));
    }

    [Fact]
    public async Task AsyncEnumerable_UnderASpentDeadline_IsEnumerated()
    {
        var grain = silos.Client.GetGrain<IDeadlineProbeGrain>(Guid.NewGuid());
        await grain.Activate();
        using var scope = GrainDeadline.Begin(TimeSpan.Zero);
        var seen = new List<TimeSpan?>();

        await foreach (var remaining in grain.Enumerate())
        {
            seen.Add(remaining);
        }

        Assert.Equal([null, null], seen);
    }

    /// <remarks>
    /// Shown to work by binding calls to Orleans' own grains, which were refused, and by leaving the header where it
    /// arrived: it was exported.
    /// </remarks>
    [Fact]
    public async Task Stream_PublishedToUnderADeadline_IsDeliveredWithoutOne()
    {
        var stream = StreamId.Create("deadlines", Guid.NewGuid());
        var subscriber = await silos.Client.NewGrainIn(silos.Second);
        var publisher = await silos.Client.NewGrainIn(silos.First);
        var delivered = new TaskCompletionSource<(TimeSpan?, object?)>(
            TaskCreationOptions.RunContinuationsAsynchronously);
        await subscriber.Run(async self => await Stream(self).SubscribeAsync((_, _) =>
        {
            delivered.TrySetResult((GrainDeadline.Remaining, RequestContext.Get(GrainDeadline.HeaderKey)));
            return Task.CompletedTask;
        }));
        using (GrainDeadline.Begin(s_short))
        {
            await publisher.Run(async self =>
            {
                await DeadlineCalls.Outlast(s_short);
                await Stream(self).OnNextAsync(1);
            });
        }

        Assert.Equal((null, null), await delivered.Task.Guarded("an event is delivered"));

        IAsyncStream<int> Stream(ScriptableGrain self) =>
            self.Services.GetRequiredKeyedService<IStreamProvider>(DeadlineSilos.Streams).GetStream<int>(stream);
    }

    [Fact]
    public async Task SystemTarget_CalledUnderASpentDeadline_Answers()
    {
        using var scope = GrainDeadline.Begin(TimeSpan.Zero);

        var hosts = await silos.Client.GetGrain<IManagementGrain>(0).GetHosts();

        Assert.Equal(3, hosts.Count);
        Assert.Equal(TimeSpan.Zero, GrainDeadline.Remaining);
    }
}
