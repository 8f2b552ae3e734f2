using Orleans.Timers.Scalable.Deadlines;
using Orleans.Timers.Scalable.Messaging;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A budget on its way from caller to callee. The second silo's time of day is ten minutes ahead.</summary>
/// <remarks>Seen to fail when the header has the time of day of the end.</remarks>
[Collection(typeof(DeadlineSilos))]
public sealed class CallDeadlinesTests(DeadlineSilos silos)
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Call_WithinABudget_CalleeGetsTheRemainingTime(int silo)
    {
        var grain = await silos.Client.NewGrainIn(silos.Cluster.Silo(silo));
        TimeSpan? inCallee;
        TimeSpan before;
        using (CallDeadline.Begin(DeadlineCalls.Long))
        {
            before = CallDeadline.Remaining!.Value;
            inCallee = await DeadlineCalls.RemainingIn(grain);

            // Neither side sees the header.
            Assert.Null(await DeadlineCalls.HeaderIn(grain));
            Assert.Null(RequestContext.Get(CallDeadline.HeaderKey));
        }

        Assert.NotNull(inCallee);
        Assert.InRange(
            inCallee.Value, DeadlineCalls.Long - TimeSpan.FromSeconds(20), before + TimeSpan.FromMilliseconds(1));
        Assert.Null(CallDeadline.Remaining);
    }

    [Fact]
    public async Task NestedCall_InAnotherSilo_GetsTheRemainingTime()
    {
        var (outer, inner) = await NewGrains();
        TimeSpan? whenCalling = null;
        TimeSpan? inInner = null;
        TimeSpan? atFirst = null;
        TimeSpan waited = default;
        using (CallDeadline.Begin(DeadlineCalls.Long))
        {
            await outer.Run(async self =>
            {
                // If the header were passed on as it came, the nested call would have this much time again.
                atFirst = CallDeadline.Remaining;
                var start = TimeProvider.System.GetTimestamp();
                await Task.Delay(TimeSpan.FromMilliseconds(200));
                waited = TimeProvider.System.GetElapsedTime(start);
                whenCalling = CallDeadline.Remaining;
                inInner = await DeadlineCalls.RemainingIn(inner.Seen(self));
            });
        }

        Assert.True(
            inInner <= whenCalling + TimeSpan.FromMilliseconds(1),
            $"{inInner} in the nested call, {whenCalling} when it was made");
        Assert.True(whenCalling <= atFirst - waited, $"{whenCalling} after a wait of {waited}, {atFirst} before");
    }

    [Fact]
    public async Task Call_BudgetOfAClientIsSpent_IsNotSent()
    {
        var grain = await silos.Client.NewGrainIn(silos.First);
        var hasRun = false;
        using var refused = silos.Client.ServiceProvider.Count(DeadlineCounts.RefusedName);
        using (CallDeadline.Begin(TimeSpan.Zero))
        {
            var error = await Assert.ThrowsAsync<TimeoutException>(
                () => grain.Run(_ => Task.FromResult(hasRun = true)));
            Assert.Contains("was not sent", error.Message, StringComparison.Ordinal);
            Assert.Contains(nameof(IScriptedGrain.RunScript), error.Message, StringComparison.Ordinal);
        }

        Assert.False(hasRun);
        Assert.Equal(
            new Dictionary<string, object?>
            {
                ["side"] = "caller",
                ["interface"] = typeof(IScriptedGrain).FullName,
                ["method"] = nameof(IScriptedGrain.RunScript),
                ["silo"] = "client",
            },
            refused.LastMeasurement!.Tags);
        await grain.Activate();
    }

    // The call used to be refused, although its caller had been in time until the process stood still.
    [Fact]
    public async Task Call_BudgetIsSpentDuringAStall_IsSent()
    {
        var grain = await silos.Client.NewGrainIn(silos.First);
        using var refused = silos.Client.ServiceProvider.Count(DeadlineCounts.RefusedName);
        using var scope = CallDeadline.Begin(TimeSpan.FromMilliseconds(10));
        await DeadlineCalls.Outlast(TimeSpan.FromMilliseconds(10));
        using var stall = DeadlineSilos.StoodStill(silos.Client.ServiceProvider);

        Assert.InRange((await DeadlineCalls.RemainingIn(grain))!.Value, TimeSpan.Zero, Stalls.Grace);

        Assert.Empty(refused.GetMeasurementSnapshot());
    }

    [Fact]
    public async Task NestedCall_DeadlinesAreSuppressed_HasNone()
    {
        var (outer, inner) = await NewGrains();
        TimeSpan? inInner = TimeSpan.Zero;
        using var scope = CallDeadline.Begin(DeadlineCalls.Long);

        await outer.Run(async self =>
        {
            using var spent = CallDeadline.Begin(TimeSpan.Zero);
            using (CallDeadline.Suppress())
            {
                inInner = await DeadlineCalls.RemainingIn(inner.Seen(self));
            }
        });

        Assert.Null(inInner);
    }

    /// <summary>A grain in one silo for the client to call, and one in the other for the first to call.</summary>
    private async Task<(IScriptedGrain Outer, IScriptedGrain Inner)> NewGrains()
    {
        var inner = silos.Second.NewGrain();
        await inner.Activate();
        return (await silos.Client.NewGrainIn(silos.First), inner);
    }
}
