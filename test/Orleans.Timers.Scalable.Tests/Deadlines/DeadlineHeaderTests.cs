using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable.Tests;

public sealed class DeadlineHeaderTests
{
    private static readonly GrainId s_sender = GrainId.Create("sender", "1");
    private static readonly GrainId s_target = GrainId.Create("target", "1");

    [Theory]
    [InlineData(1, 1)]
    [InlineData(TimeSpan.TicksPerMillisecond, 1)]
    [InlineData(TimeSpan.TicksPerMillisecond + 1, 2)]
    [InlineData(TimeSpan.TicksPerDay, 86_400_000)]
    public void Write_Budget_IsRoundedUpToMilliseconds(long ticks, long milliseconds)
    {
        var header = DeadlineHeader.Write(TimeSpan.FromTicks(ticks), default);

        Assert.Equal(milliseconds, Assert.IsType<long>(header));
        Assert.True(DeadlineHeader.TryRead(header, out var budget, out var mark));
        Assert.Equal((TimeSpan.FromMilliseconds(milliseconds), default), (budget, mark));
    }

    [Fact]
    public void Write_LongestBudgetAndLargestMark_RoundTrip()
    {
        var mark = new TimeToLiveMark(int.MaxValue);
        var header = DeadlineHeader.Write(DeadlineHeader.LongestBudget, mark);

        Assert.True(DeadlineHeader.TryRead(header, out var budget, out var read));
        Assert.Equal((DeadlineHeader.LongestBudget, mark), (budget, read));
        Assert.False(DeadlineHeader.TryRead(DeadlineHeader.Write(TimeSpan.MaxValue, mark), out _, out _));
    }

    [Fact]
    public void Mark_OfAnotherMessage_Differs()
    {
        var timeToLive = TimeSpan.FromSeconds(30);
        var mark = TimeToLiveMark.Of(timeToLive, s_sender, s_target);

        Assert.Equal(mark, TimeToLiveMark.Of(timeToLive, s_sender, s_target));
        Assert.True(mark.Value > 0);
        Assert.NotEqual(mark, TimeToLiveMark.Of(timeToLive + TimeSpan.FromMilliseconds(1), s_sender, s_target));
        Assert.NotEqual(mark, TimeToLiveMark.Of(timeToLive, s_target, s_target));
        Assert.NotEqual(mark, TimeToLiveMark.Of(timeToLive, s_sender, s_sender));
        Assert.NotEqual(mark, TimeToLiveMark.Of(timeToLive, s_target, s_sender));

        // A client's mark does not depend on its name.
        Assert.Equal(
            TimeToLiveMark.Of(timeToLive, sender: null, s_target),
            TimeToLiveMark.Of(timeToLive, GrainId.Create("sys.client", "1"), s_target));
    }

    [Fact]
    public void Mark_IsTheSameInEveryProcess() =>
        Assert.Equal(1368569804, TimeToLiveMark.Of(TimeSpan.FromSeconds(30), s_sender, s_target).Value);
}
