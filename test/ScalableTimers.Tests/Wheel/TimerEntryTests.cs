using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

public class TimerEntryTests
{
    [Theory]
    [InlineData(0L, 0)]
    [InlineData(1L, 63)]
    [InlineData(TimerWheel.MaxTick, (8 * 64 + 31) * 4 + 2)]
    [InlineData(TimerWheel.Never, 9 * 64 * 4 + 3)]
    public void SetPlace_AnyDeadlineAndList_GivesThemBack(long deadlineTick, int list)
    {
        var entry = new TimerEntry();

        entry.SetPlace(deadlineTick, list);

        Assert.Equal((deadlineTick, list, true), (entry.DeadlineTick, entry.List, entry.IsLinked));
    }

    [Fact]
    public void ClearPlace_KeepsTheDeadlineAndDropsTheLinks()
    {
        var entry = new TimerEntry { Older = new TimerEntry(), Newer = new TimerEntry() };
        entry.SetPlace(deadlineTick: 77, list: 13);

        entry.ClearPlace();

        Assert.Equal((77L, false), (entry.DeadlineTick, entry.IsLinked));
        Assert.Null(entry.Older);
        Assert.Null(entry.Newer);
    }

    [Fact]
    public void New_IsNotLinked() => Assert.False(new TimerEntry().IsLinked);
}
