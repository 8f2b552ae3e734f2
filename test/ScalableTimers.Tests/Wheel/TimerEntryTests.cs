using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

public class TimerEntryTests
{
    [Theory]
    [InlineData(0L, 0)]
    [InlineData(1L, 63)]
    [InlineData(TimerWheel.MaxTick, 8 * 64 + 31)]
    [InlineData(TimerWheel.Never, 9 * 64)]
    public void SetPlace_AnyDeadlineAndSlot_GivesThemBack(long deadlineTick, int slot)
    {
        var entry = new TimerEntry();

        entry.SetPlace(deadlineTick, slot);

        Assert.Equal((deadlineTick, slot, true), (entry.DeadlineTick, entry.Slot, entry.IsLinked));
    }

    [Fact]
    public void ClearPlace_KeepsTheDeadlineAndDropsTheLinks()
    {
        var entry = new TimerEntry { Older = new TimerEntry(), Newer = new TimerEntry() };
        entry.SetPlace(deadlineTick: 77, slot: 13);

        entry.ClearPlace();

        Assert.Equal((77L, false), (entry.DeadlineTick, entry.IsLinked));
        Assert.Null(entry.Older);
        Assert.Null(entry.Newer);
    }

    [Fact]
    public void New_IsNotLinked() => Assert.False(new TimerEntry().IsLinked);
}
