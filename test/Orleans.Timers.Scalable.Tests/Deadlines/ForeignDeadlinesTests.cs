using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Deadlines that come from, or pass through, silos and clients without the plugin, and values that nobody should send.
/// </summary>
[Collection(typeof(DeadlineSilos))]
public sealed class ForeignDeadlinesTests(DeadlineSilos silos)
{
    private static readonly Dictionary<string, object> s_nonsense = new()
    {
        ["negative"] = -1L,
        ["smallest"] = long.MinValue,
        ["largest"] = long.MaxValue,
        ["longest budget"] = (long)uint.MaxValue,
        ["longer than is believed"] = (long)TimeSpan.FromDays(1).TotalMilliseconds + 1,
        ["smaller integer"] = 5,
        ["not a number"] = double.NaN,
        ["duration"] = TimeSpan.FromSeconds(-1),
        ["time of day"] = DateTimeOffset.UnixEpoch,
        ["long text"] = new string('9', 10_000),
        ["bytes"] = new byte[64],
    };

    public static TheoryData<string> Nonsense { get; } = [.. s_nonsense.Keys];

    [Theory]
    [MemberData(nameof(Nonsense))]
    public async Task Request_DeadlineIsNonsense_RunsWithoutOne(string kind)
    {
        var grain = await silos.Stock.Grains().NewGrainIn(silos.First);
        using var ignored = silos.First.ServiceProvider.Count(DeadlineCounts.IgnoredName);
        using var refused = silos.First.ServiceProvider.Count(DeadlineCounts.RefusedName);
        RequestContext.Set(CallDeadline.HeaderKey, s_nonsense[kind]);

        Assert.Null(await DeadlineCalls.RemainingIn(grain));
        Assert.Null(await DeadlineCalls.HeaderIn(grain));
        Assert.Equal(2, ignored.GetMeasurementSnapshot().Count);
        Assert.Empty(refused.GetMeasurementSnapshot());
    }

    [Fact]
    public async Task Call_PluginsKeyWasSetByHand_IsNotForwarded()
    {
        var grain = silos.Stock.NewGrain();
        await grain.Activate();
        RequestContext.Set(CallDeadline.HeaderKey, 0L);
        RequestContext.Set("another", 1);

        Assert.Null(await DeadlineCalls.HeaderIn(silos.Client.GetGrain<IScriptedGrain>(grain.GetPrimaryKey())));
        Assert.Equal(1, RequestContext.Get("another"));
    }
}
