using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A loop in which each round begins inside the deadline of the round before.</summary>
public sealed class DeadlineChainsTests
{
    [Fact]
    public void CallDeadline_OfAnEndlessLoop_KeepsNothingOfEarlierRounds() =>
        ScopeChainsTests.AssertFewLive<FlowingDeadline>(
            static outer => new FlowingDeadline(timers: null, TimeSpan.FromSeconds(1), outer),
            static bound => bound.End());

    // The bounds outside a barrier are never read.
    [Fact]
    public void Barrier_OfAnEndlessLoop_KeepsNothingOfEarlierRounds() =>
        ScopeChainsTests.AssertFewLive<FlowingDeadline>(FlowingDeadline.Barrier, static bound => bound.End());
}
