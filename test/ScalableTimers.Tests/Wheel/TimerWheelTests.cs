using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

public class TimerWheelTests
{
    [Theory]
    [InlineData(100)]
    [InlineData(99)]
    [InlineData(36)]
    [InlineData(0)]
    public void Schedule_DeadlineAtOrBeforeCurrentTick_ExpiresAtNextAdvance(long deadline)
    {
        var wheel = new TimerWheel(startTick: 100);
        var entry = wheel.ScheduleNew(deadline);

        Assert.Equal(100, wheel.EarliestTick);
        Assert.Same(entry, Assert.Single(wheel.Advance(toTick: 100)));
        Assert.Equal(deadline, entry.DeadlineTick);
    }

    [Fact]
    public void Advance_DeadlineOrDueTimeIsMultipleOfALevel_ExpiresThenAndNotBefore()
    {
        for (var level = 1; level < TimerWheel.Levels; level++)
        {
            var width = 1L << (6 * level);
            foreach (var start in (long[])[0, 1, 63, width - 1])
            {
                foreach (var times in (long[])[1, 2, level < TimerWheel.Levels - 1 ? 30 : 6])
                {
                    AssertExpiresThen(start, times * width);
                    AssertExpiresThen(start, start + (times * width));
                }
            }
        }

        AssertExpiresThen(start: 0, TimerWheel.MaxTick);

        static void AssertExpiresThen(long start, long deadline)
        {
            var wheel = new TimerWheel(start);
            var entry = wheel.ScheduleNew(deadline);

            Assert.Empty(wheel.Advance(deadline - 1));
            Assert.InRange(wheel.EarliestTick, start, deadline);
            Assert.Same(entry, Assert.Single(wheel.Advance(deadline)));
        }
    }

    [Fact]
    public void Advance_EntriesOfOneDeadlineScheduledOnDifferentLevels_ExpireInSchedulingOrder()
    {
        var wheel = new TimerWheel();
        const long Deadline = 300_000;
        var entries = new List<TimerEntry>();
        foreach (var now in (long[])[0, 10, 262_144, 299_000, 299_990, 299_999])
        {
            Assert.Empty(wheel.Advance(now));
            entries.Add(wheel.ScheduleNew(Deadline));
            entries.Add(wheel.ScheduleNew(Deadline));
        }

        Assert.Equal(entries, wheel.Advance(Deadline));
    }

    [Fact]
    public void Advance_ToAnEarlierTick_NeitherMovesBackNorExpires()
    {
        var wheel = new TimerWheel(startTick: 100);
        wheel.ScheduleNew(deadlineTick: 50);

        Assert.Empty(wheel.Advance(toTick: 99));
        Assert.Equal(100, wheel.CurrentTick);
        Assert.Single(wheel.Advance(toTick: 100));
    }

    [Fact]
    public void Advance_BudgetIsSpent_GoesOnWhereItStopped()
    {
        var wheel = new TimerWheel();
        var entries = Enumerable.Range(0, 10).Select(_ => wheel.ScheduleNew(deadlineTick: 64)).ToList();
        var budget = 4;

        Assert.Null(wheel.Advance(toTick: 64, ref budget));
        Assert.Equal(0, budget);
        Assert.Equal(10, wheel.Count);
        Assert.Equal(64, wheel.EarliestTick);

        // Six entries are left to cascade. Then the ten expire.
        budget = 7;
        Assert.Same(entries[0], wheel.Advance(toTick: 64, ref budget));
        Assert.Equal(0, budget);
        Assert.Equal(entries[1..], wheel.Advance(toTick: 64));
    }

    [Fact]
    public void Advance_NoBudget_DoesNothing()
    {
        var wheel = new TimerWheel();
        wheel.ScheduleNew(deadlineTick: 1);
        var budget = 0;

        Assert.Null(wheel.Advance(toTick: 100, ref budget));
        Assert.Equal(0, wheel.CurrentTick);
    }

    [Fact]
    public void Remove_TheLastEntryOfTheNearestSlot_RaisesEarliestTick()
    {
        var wheel = new TimerWheel();
        var near = wheel.ScheduleNew(deadlineTick: 7);
        wheel.ScheduleNew(deadlineTick: 20);

        wheel.Remove(near);

        Assert.Equal(20, wheel.EarliestTick);
    }

    [Fact]
    public void ScheduleOrMove_EntryThatIsNotLinked_LinksIt()
    {
        var wheel = new TimerWheel(startTick: 100);
        var entry = new TimerEntry();

        wheel.ScheduleOrMove(entry, 105);

        Assert.Equal(1, wheel.Count);
        Assert.Empty(wheel.Advance(104));
        Assert.Same(entry, Assert.Single(wheel.Advance(105)));
    }

    [Fact]
    public void Advance_SlotDrainedUnderABudget_LeavesNoLinkToWhatHasExpired()
    {
        var wheel = new TimerWheel();
        TimerEntry[] entries = [wheel.ScheduleNew(100), wheel.ScheduleNew(100), wheel.ScheduleNew(100)];

        // The first step cascades two of the three entries. The last one comes down alone.
        var budget = 2;
        Assert.Null(wheel.Advance(toTick: 99, ref budget));
        Assert.Empty(wheel.Advance(toTick: 99));

        Assert.Equal([null, entries[0], entries[1]], entries.Select(static entry => entry.Older));
    }

    [Fact]
    public void EarliestTick_Empty_IsNever() =>
        Assert.Equal(TimerWheel.Never, new TimerWheel(startTick: 5).EarliestTick);

    [Theory]
    [InlineData(1)]
    [InlineData(59)]
    public void EarliestTick_WithinTheNext64Ticks_IsExact(long deadline)
    {
        var wheel = new TimerWheel();
        wheel.ScheduleNew(deadlineTick: 60);
        wheel.ScheduleNew(deadline);

        Assert.Equal(deadline, wheel.EarliestTick);
    }

    [Theory]
    [InlineData(70, 64)]
    [InlineData(5_000, 4_096)]
    [InlineData(300_000, 262_144)]
    public void EarliestTick_FarOff_IsTheBeginningOfItsSlot(long deadline, long expected)
    {
        var wheel = new TimerWheel();
        wheel.ScheduleNew(deadline);

        Assert.Equal(expected, wheel.EarliestTick);
    }

    [Fact]
    public void EarliestTick_WhileACascadeIsUnderWay_IsTheCurrentTick()
    {
        var wheel = new TimerWheel();
        wheel.ScheduleNew(deadlineTick: 100);
        wheel.ScheduleNew(deadlineTick: 100);
        var budget = 1;
        Assert.Null(wheel.Advance(toTick: 64, ref budget));

        Assert.Equal(64, wheel.EarliestTick);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(99)]
    public void EarliestTick_WhatWasDueAtOnceHasBeenTaken_IsThatOfTheOthers(long deadline)
    {
        var wheel = new TimerWheel(startTick: 100);
        wheel.ScheduleNew(deadline);
        wheel.ScheduleNew(deadlineTick: 120);
        var budget = 1;
        Assert.NotNull(wheel.Advance(toTick: 100, ref budget));

        Assert.Equal(120, wheel.EarliestTick);
    }

    [Theory]
    [InlineData(5, 5)]
    [InlineData(70, 127)]
    [InlineData(5_000, 8_191)]
    [InlineData(300_000, 524_287)]
    [InlineData(TimerWheel.Never, TimerWheel.Never)]
    public void EarliestTickAtMost_NothingIsDueYet_IsTheEndOfTheNearestSlot(long deadline, long expected)
    {
        var wheel = new TimerWheel();
        wheel.ScheduleNew(deadline);

        Assert.Equal(expected, wheel.EarliestTickAtMost);
        Assert.True(wheel.HoldsNothingOverdue);
    }

    [Fact]
    public void EarliestTickAtMost_SomethingIsDueOrCascading_IsNever()
    {
        var due = new TimerWheel(startTick: 100);
        due.ScheduleNew(deadlineTick: 100);
        due.ScheduleNew(deadlineTick: 120);
        var cascading = new TimerWheel();
        cascading.ScheduleNew(deadlineTick: 100);
        cascading.ScheduleNew(deadlineTick: 5_000);
        var budget = 1;
        Assert.Null(cascading.Advance(toTick: 64, ref budget));

        Assert.Equal((TimerWheel.Never, TimerWheel.Never), (due.EarliestTickAtMost, cascading.EarliestTickAtMost));
        Assert.True(due.HoldsNothingOverdue && cascading.HoldsNothingOverdue);
    }
}
