using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

public partial class TimerWheelTests
{
    /// <summary>
    /// 64 to the power of a level, once and several times, from starts at, before and after the boundary.
    /// </summary>
    public static TheoryData<long, long> MultiplesOfLevels()
    {
        var data = new TheoryData<long, long>();
        for (var level = 1; level < TimerWheel.Levels; level++)
        {
            var width = 1L << (6 * level);
            foreach (var times in (long[])[1, 2, level < TimerWheel.Levels - 1 ? 30 : 6])
            {
                foreach (var start in (long[])[0, 1, 63, width - 1])
                {
                    data.Add(start, times * width);
                }
            }
        }

        return data;
    }

    [Fact]
    public void Advance_ToTickBeforeDeadline_ExpiresNothing()
    {
        var wheel = new TimerWheel(startTick: 100);
        var entry = wheel.ScheduleNew(deadlineTick: 105);

        Assert.Empty(wheel.Advance(toTick: 104));
        Assert.Same(entry, Assert.Single(wheel.Advance(toTick: 105)));
    }

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

    [Theory]
    [MemberData(nameof(MultiplesOfLevels))]
    public void Advance_DeadlineIsMultipleOfALevel_ExpiresThenAndNotBefore(long start, long deadline)
    {
        var wheel = new TimerWheel(start);
        var entry = wheel.ScheduleNew(deadline);

        Assert.Empty(wheel.Advance(deadline - 1));
        Assert.InRange(wheel.EarliestTick, start, deadline);
        Assert.Same(entry, Assert.Single(wheel.Advance(deadline)));
    }

    [Theory]
    [MemberData(nameof(MultiplesOfLevels))]
    public void Advance_DueTimeIsMultipleOfALevel_ExpiresThenAndNotBefore(long start, long dueTicks)
    {
        var wheel = new TimerWheel(start);
        var entry = wheel.ScheduleNew(start + dueTicks);

        Assert.Empty(wheel.Advance(start + dueTicks - 1));
        Assert.Same(entry, Assert.Single(wheel.Advance(start + dueTicks)));
    }

    [Fact]
    public void Advance_AcrossEveryLevelInOneStep_ExpiresInDeadlineOrder()
    {
        var wheel = new TimerWheel(startTick: 12_345);
        var deadlines = MultiplesOfLevels()
            .Select(static row => row.Data.Item2)
            .Distinct()
            .SelectMany(static tick => (long[])[tick - 1, tick, tick + 1])
            .ToList();
        var random = new Random(1);
        foreach (var deadline in deadlines.OrderBy(_ => random.Next()))
        {
            wheel.ScheduleNew(deadline);
        }

        var expired = wheel.Advance(TimerWheel.MaxTick).ConvertAll(static entry => entry.DeadlineTick);

        Assert.Equal(
            deadlines.Where(static tick => tick > 12_345).Order(), expired.Where(static tick => tick > 12_345));
        Assert.Equal(deadlines.Count, expired.Count);
    }

    [Theory]
    [InlineData(5)]
    [InlineData(64)]
    [InlineData(4_096)]
    [InlineData(262_144)]
    [InlineData(1L << 48)]
    [InlineData((1L << 48) + 777)]
    public void Advance_EntriesOfOneDeadline_ExpireInSchedulingOrder(long deadline)
    {
        var wheel = new TimerWheel(isOrdered: true);
        var entries = Enumerable.Range(0, 200).Select(_ => wheel.ScheduleNew(deadline)).ToList();

        Assert.Equal(entries, wheel.Advance(deadline));
    }

    [Fact]
    public void Advance_EntriesOfOneDeadlineScheduledOnDifferentLevels_ExpireInSchedulingOrder()
    {
        var wheel = new TimerWheel(isOrdered: true);
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
    public void Advance_ReachesTheTickGiven_AlsoWhenNothingIsDue()
    {
        var wheel = new TimerWheel();
        wheel.ScheduleNew(deadlineTick: 1L << 40);

        Assert.Empty(wheel.Advance(toTick: 123_456_789));
        Assert.Equal(123_456_789, wheel.CurrentTick);
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
    public void Advance_ThousandsAreFarOff_LooksAtNone()
    {
        var wheel = new TimerWheel();
        for (var i = 0; i < 10_000; i++)
        {
            wheel.ScheduleNew(deadlineTick: 500_000 + i);
        }

        var budget = 1;
        for (var tick = 0; tick < 262_144; tick += 10)
        {
            Assert.Null(wheel.Advance(tick, ref budget));
        }

        Assert.Equal(1, budget);
    }

    [Fact]
    public void Advance_EntryDescendsAllLevels_IsLookedAtOncePerLevel()
    {
        var wheel = new TimerWheel();

        // No digit is zero, so the entry stops at every level.
        var deadline = 0L;
        for (var level = 0; level < TimerWheel.Levels - 1; level++)
        {
            deadline = (deadline << 6) | 1;
        }

        wheel.ScheduleNew(deadline);
        var budget = 100;

        Assert.NotNull(wheel.Advance(deadline, ref budget));
        Assert.Equal(100 - (TimerWheel.Levels - 1), budget);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Remove_AnyPlaceInItsSlot_LeavesTheOthersInOrder(int index)
    {
        foreach (var deadline in (long[])[3, 100, 5_000])
        {
            var wheel = new TimerWheel(isOrdered: true);
            var entries = Enumerable.Range(0, 4).Select(_ => wheel.ScheduleNew(deadline)).ToList();

            wheel.Remove(entries[index]);

            Assert.False(entries[index].IsLinked);
            Assert.Equal(3, wheel.Count);
            entries.RemoveAt(index);
            Assert.Equal(entries, wheel.Advance(deadline));
        }
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
    public void Remove_FromASlotThatIsCascading_ExpiresTheOthers()
    {
        var wheel = new TimerWheel();
        var entries = Enumerable.Range(0, 4).Select(_ => wheel.ScheduleNew(deadlineTick: 70)).ToList();
        var budget = 2;
        Assert.Null(wheel.Advance(toTick: 70, ref budget));

        // The first entry has been moved down already, and the second one has not.
        wheel.Remove(entries[0]);
        wheel.Remove(entries[3]);

        Assert.Equal([entries[1], entries[2]], wheel.Advance(toTick: 70));
        Assert.True(wheel.IsEmpty);
    }

    [Fact]
    public void Remove_AllOfASlotThatIsCascading_LeavesAnEmptyWheel()
    {
        var wheel = new TimerWheel();
        var entries = Enumerable.Range(0, 3).Select(_ => wheel.ScheduleNew(deadlineTick: 70)).ToList();
        var budget = 1;
        Assert.Null(wheel.Advance(toTick: 66, ref budget));

        entries.ForEach(wheel.Remove);

        Assert.True(wheel.IsEmpty);
        Assert.Empty(wheel.Advance(toTick: 1_000));
        Assert.Equal(TimerWheel.Never, wheel.EarliestTick);
    }

    [Fact]
    public void Remove_WhatIsDueAndNotYetTaken_DoesNotExpire()
    {
        var wheel = new TimerWheel();
        var first = wheel.ScheduleNew(deadlineTick: 5);
        var second = wheel.ScheduleNew(deadlineTick: 5);
        var budget = 1;
        Assert.Same(first, wheel.Advance(toTick: 5, ref budget));

        wheel.Remove(second);

        Assert.Empty(wheel.Advance(toTick: 5));
    }

    [Fact]
    public void Schedule_EntryThatHasExpired_IsLinkedAnew()
    {
        var wheel = new TimerWheel();
        var entry = wheel.ScheduleNew(deadlineTick: 5);
        Assert.Single(wheel.Advance(toTick: 5));

        wheel.Schedule(entry, deadlineTick: 9);

        Assert.Same(entry, Assert.Single(wheel.Advance(toTick: 9)));
    }

    [Fact]
    public void Schedule_SeveralRuns_AreLinkedIntoTheListsOfTheSlotInTurn()
    {
        var wheel = new TimerWheel(runBits: 1);
        var ordered = new TimerWheel(isOrdered: true, runBits: 1);

        Assert.Equal([0, 0, 1, 1, 2, 2, 3, 3, 0, 0], Lists(wheel));
        Assert.All(Lists(ordered), static list => Assert.Equal(0, list));

        static List<int> Lists(TimerWheel wheel) =>
            Enumerable.Range(0, 10)
                .Select(_ => wheel.ScheduleNew(deadlineTick: 70).List % TimerWheel.ListsPerSlot)
                .ToList();
    }

    [Fact]
    public void Schedule_Never_IsCountedAndListedAndNeverExpires()
    {
        var wheel = new TimerWheel();
        var entry = wheel.ScheduleNew(TimerWheel.Never);

        Assert.Equal(TimerWheel.Never, wheel.EarliestTick);
        Assert.Empty(wheel.Advance(TimerWheel.MaxTick));
        Assert.Equal(1, wheel.Count);
        Assert.Same(entry, Assert.Single(wheel.Entries()));

        wheel.Remove(entry);
        Assert.True(wheel.IsEmpty);
        Assert.Equal(TimerWheel.Never, wheel.EarliestTick);
    }

    [Fact]
    public void Schedule_AtMaxTick_ExpiresThen()
    {
        var wheel = new TimerWheel();
        var entry = wheel.ScheduleNew(TimerWheel.MaxTick);

        Assert.Empty(wheel.Advance(TimerWheel.MaxTick - 1));
        Assert.Same(entry, Assert.Single(wheel.Advance(TimerWheel.MaxTick)));
    }

    [Fact]
    public void Entries_OnEveryLevel_AreAllListedOnce()
    {
        var wheel = new TimerWheel();
        var entries = MultiplesOfLevels().Select(row => wheel.ScheduleNew(row.Data.Item2)).ToHashSet();
        entries.Add(wheel.ScheduleNew(0));
        entries.Add(wheel.ScheduleNew(TimerWheel.Never));

        var listed = wheel.Entries();

        Assert.Equal(entries.Count, listed.Count);
        Assert.True(entries.SetEquals(listed));
    }

    [Theory]
    [InlineData(105, 105)]
    [InlineData(105, 106)]
    [InlineData(105, 104)]
    [InlineData(105, 100)]
    [InlineData(105, 170)]
    [InlineData(170, 105)]
    [InlineData(5_000, 5_001)]
    [InlineData(5_000, 1_000_000)]
    [InlineData(5_000, TimerWheel.Never)]
    [InlineData(TimerWheel.Never, 105)]
    public void ScheduleOrMove_LinkedEntry_ExpiresAtTheNewDeadlineOnly(long from, long to)
    {
        var wheel = new TimerWheel(startTick: 100);
        var neighbour = wheel.ScheduleNew(from);
        var entry = wheel.ScheduleNew(from);
        var other = wheel.ScheduleNew(from);

        wheel.ScheduleOrMove(entry, to);

        Assert.Equal((3, to), (wheel.Count, entry.DeadlineTick));
        if (to == from)
        {
            Assert.Equal([neighbour, entry, other], wheel.Advance(to));
            return;
        }

        Assert.DoesNotContain(wheel.Advance(Math.Min(from, to) - 1), expired => to > 100 || expired != entry);
        if (from != TimerWheel.Never && to != TimerWheel.Never)
        {
            wheel.Advance(Math.Max(from, to));
            Assert.True(wheel.IsEmpty);
        }
        else
        {
            wheel.Advance(TimerWheel.MaxTick);
            Assert.Equal(to == TimerWheel.Never, entry.IsLinked);
            Assert.Equal(from == TimerWheel.Never, neighbour.IsLinked);
        }
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

    [Theory]
    [InlineData(0, 1, 2)]
    [InlineData(0, 2, 1)]
    [InlineData(1, 0, 2)]
    [InlineData(1, 2, 0)]
    [InlineData(2, 1, 0)]
    [InlineData(2, 0, 1)]
    public void Remove_InAnyOrder_LeavesNoLinkToWhatWasRemoved(int first, int second, int last)
    {
        var wheel = new TimerWheel();
        TimerEntry[] entries = [wheel.ScheduleNew(5), wheel.ScheduleNew(5), wheel.ScheduleNew(5)];

        wheel.Remove(entries[first]);
        var (older, newer) = second < last ? (entries[second], entries[last]) : (entries[last], entries[second]);
        Assert.Equal((null, newer, older, older), (older.Older, older.Newer, newer.Older, newer.Newer));

        wheel.Remove(entries[second]);
        Assert.Null(entries[last].Older);
        Assert.Same(entries[last], entries[last].Newer);
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
}
