using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

public class TimerWheelTests
{
    [Fact]
    public void Advance_ToAnEarlierTick_NeitherMovesBackNorExpires()
    {
        var wheel = new TimerWheel(startTick: 100);
        wheel.ScheduleNew(deadlineTick: 50);

        Assert.Empty(wheel.Advance(toTick: 99));
        Assert.Equal(100, wheel.CurrentTick);
        Assert.Single(wheel.Advance(toTick: 100));
    }

    // Seen to fail with any of the four rows left out of EarliestTick: the driver would oversleep.
    [Fact]
    public void Advance_EntriesCascadeToTheirTick_SpreadOverFourRowsWithinTheBudget()
    {
        var wheel = new TimerWheel();
        TimerEntry[] entries = [.. Enumerable.Range(0, 4).Select(_ => wheel.ScheduleNew(deadlineTick: 128))];
        var budget = 4;
        Assert.Null(wheel.Advance(toTick: 128, ref budget));
        Assert.Equal(0, budget);
        Assert.Equal(4, entries.Select(static entry => entry.Slot).Distinct().Count());
        while (wheel.Count > 0)
        {
            Assert.Equal(128, wheel.EarliestTick);
            budget = 1;
            Assert.NotNull(wheel.Advance(toTick: 128, ref budget));
            Assert.Equal(0, budget);
        }
    }

    [Fact]
    public void Advance_SlotDrainedUnderABudget_KeepsTheLinksInOrder()
    {
        var wheel = new TimerWheel(isOrdered: true);
        TimerEntry[] entries = [wheel.ScheduleNew(100), wheel.ScheduleNew(100), wheel.ScheduleNew(100)];

        // The first step cascades two of the three entries. The last one comes down alone.
        var budget = 2;
        Assert.Null(wheel.Advance(toTick: 99, ref budget));
        Assert.Empty(wheel.Advance(toTick: 99));

        Assert.Equal([null, entries[0], entries[1]], entries.Select(static entry => entry.Older));
    }
}
