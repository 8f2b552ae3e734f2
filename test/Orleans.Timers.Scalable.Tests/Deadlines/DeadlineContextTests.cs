using Microsoft.Extensions.DependencyInjection;
using Orleans.Streams;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Code that a deadline must not reach, and calls that it must not bound.</summary>
[Collection(typeof(DeadlineSilos))]
public sealed class DeadlineContextTests(DeadlineSilos silos)
{
    private static readonly TimeSpan s_soon = TimeSpan.FromMilliseconds(50);

    [Fact]
    public async Task Requests_InterleavedInOneActivation_KeepTheirOwnDeadlines()
    {
        var grain = await silos.Client.NewGrainIn(silos.First);
        var goOn = NewSource<bool>();
        TimeSpan[] budgets = [Timeout.InfiniteTimeSpan, TimeSpan.FromMinutes(1), TimeSpan.FromMinutes(2)];
        var seen = new TimeSpan?[budgets.Length];
        var calls = new List<Task>();
        for (var i = 0; i < budgets.Length; i++)
        {
            var number = i;
            using var scope = CallDeadline.Begin(budgets[i]);
            calls.Add(await grain.BeginWait(async _ =>
            {
                await goOn.Task;
                seen[number] = CallDeadline.Remaining;
            }));
        }

        goOn.SetResult(true);
        await Task.WhenAll(calls).Guarded("the calls end");

        Assert.Null(seen[0]);
        Assert.InRange(seen[1]!.Value, TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(61));
        Assert.InRange(seen[2]!.Value, TimeSpan.FromSeconds(90), TimeSpan.FromSeconds(121));
    }

    /// <remarks>Seen to fail when deadlines outlive their requests: both calls were bound.</remarks>
    [Fact]
    public async Task TaskRun_InsideARequest_HasItsDeadlineUntilTheRequestIsAnswered()
    {
        var inner = silos.Second.NewGrain();
        await inner.Activate();
        var grain = await silos.Client.NewGrainIn(silos.First);
        var answered = NewSource<bool>();
        TimeSpan? inside = null, afterwards = TimeSpan.Zero, inCallAfterwards = TimeSpan.Zero;
        Task background = Task.CompletedTask;
        using (CallDeadline.Begin(DeadlineCalls.Long))
        {
            await grain.Run(async self =>
            {
                await Task.Run(() => inside = CallDeadline.Remaining);
                background = Task.Run(async () =>
                {
                    await answered.Task;
                    afterwards = CallDeadline.Remaining;
                    inCallAfterwards = await DeadlineCalls.RemainingIn(inner.Seen(self));
                });
            });
        }

        answered.SetResult(true);
        await background.Guarded("work goes on after its request");

        Assert.NotNull(inside);
        Assert.Null(afterwards);
        Assert.Null(inCallAfterwards);
    }

    [Fact]
    public async Task GrainTimer_TicksDuringTheRequest_HasNoDeadline()
    {
        var grain = await silos.Client.NewGrainIn(silos.First);
        var inner = silos.Second.NewGrain();
        var ticked = NewSource<(TimeSpan?, TimeSpan?)>();
        using var scope = CallDeadline.Begin(DeadlineCalls.Long);
        await grain.Run(async self =>
        {
            using var timer = self.RegisterGrainTimer(
                async _ => ticked.TrySetResult(
                    (CallDeadline.Remaining, await DeadlineCalls.RemainingIn(inner.Seen(self)))),
                new GrainTimerCreationOptions(s_soon, Timeout.InfiniteTimeSpan) { Interleave = true });
            Assert.Equal((null, null), await ticked.Task.Guarded("a grain timer fires"));
        });
    }

    [Fact]
    public async Task Activation_ByARequestWithADeadline_HasNone()
    {
        var inner = silos.Second.NewGrain();
        await inner.Activate();
        var grain = silos.First.NewGrain();
        (TimeSpan?, TimeSpan?) whileActivating = (TimeSpan.Zero, TimeSpan.Zero);
        grain.On(GrainMoment.Activation, async (self, _) =>
            whileActivating = (CallDeadline.Remaining, await DeadlineCalls.RemainingIn(inner.Seen(self))));
        using (CallDeadline.Begin(DeadlineCalls.Long))
        {
            await grain.Activate();
        }

        Assert.Equal((null, null), whileActivating);
        Assert.Null(await DeadlineCalls.RemainingIn(grain));
    }

    /// <remarks>Seen to fail when one-way calls are bound too: the call was not run.</remarks>
    [Fact]
    public async Task OneWayCall_BudgetIsSpent_IsSentAndRunWithoutADeadline()
    {
        var grain = silos.Client.GetGrain<IDeadlineProbeGrain>(Guid.NewGuid());
        foreach (var budget in new[] { TimeSpan.Zero, DeadlineCalls.Long })
        {
            using (CallDeadline.Begin(budget))
            {
                Assert.Null(await RemainingInOneWayCall(grain));
            }
        }
    }

    /// <remarks>
    /// Seen to fail when calls to Orleans' own grains are bound, which were refused, and when the header stays where it
    /// arrived: it was exported.
    /// </remarks>
    [Fact]
    public async Task StreamEvent_PublishedUnderADeadline_IsDeliveredWithoutOne()
    {
        var stream = StreamId.Create("deadlines", Guid.NewGuid());
        var subscriber = await silos.Client.NewGrainIn(silos.Second);
        var publisher = await silos.Client.NewGrainIn(silos.First);
        var delivered = NewSource<(TimeSpan?, object?)>();
        await subscriber.Run(async self => await Stream(self).SubscribeAsync((_, _) =>
        {
            delivered.TrySetResult((CallDeadline.Remaining, RequestContext.Get(CallDeadline.HeaderKey)));
            return Task.CompletedTask;
        }));
        using (CallDeadline.Begin(DeadlineCalls.Long))
        {
            await publisher.Run(async self =>
            {
                using var spent = CallDeadline.Begin(TimeSpan.Zero);
                await Stream(self).OnNextAsync(1);
            });
        }

        Assert.Equal((null, null), await delivered.Task.Guarded("an event is delivered"));

        IAsyncStream<int> Stream(ScriptableGrain self) =>
            self.Services.GetRequiredKeyedService<IStreamProvider>(DeadlineSilos.Streams).GetStream<int>(stream);
    }

    private static async Task<TimeSpan?> RemainingInOneWayCall(IDeadlineProbeGrain grain)
    {
        var run = NewSource<TimeSpan?>();
        await grain.RunOneWay(Scripts.Leave(_ => Task.FromResult(run.TrySetResult(CallDeadline.Remaining))));
        return await run.Task.Guarded("a one-way call is run");
    }

    private static TaskCompletionSource<T> NewSource<T>() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
