using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

/// <summary>The tick at which the wheel says that an entry may be due.</summary>
public partial class TimerWheelTests
{
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
