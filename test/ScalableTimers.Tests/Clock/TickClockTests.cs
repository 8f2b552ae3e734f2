using System.Numerics;
using ScalableTimers.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Clock;

public class TickClockTests
{
    private static readonly long[] s_frequencies =
    [
        1, 3, 1_000, 999_983, 2_441_406, 3_579_545, 10_000_000, 24_000_000, 1_000_000_000, 3_000_000_001
    ];

    private static readonly TimeSpan[] s_resolutions =
    [
        TimeSpan.FromMilliseconds(1),
        TimeSpan.FromMilliseconds(1.5),
        TimeSpan.FromTicks(33_333),
        TimeSpan.FromMilliseconds(10),
        TimeSpan.FromMilliseconds(15.625),
        TimeSpan.FromSeconds(1),
    ];

    public static MatrixTheoryData<long, TimeSpan> Clocks { get; } = new(s_frequencies, s_resolutions);

    [Theory]
    [InlineData(5, 7, 12)]
    [InlineData(5, 0, 5)]
    [InlineData(long.MaxValue - 10, 9, long.MaxValue - 1)]
    [InlineData(long.MaxValue - 10, 100, long.MaxValue - 1)]
    [InlineData(long.MaxValue - 1, 0, long.MaxValue - 1)]
    public void After_AnyTime_IsNotPastTheLast(long timestamp, long duration, long after) =>
        Assert.Equal(after, (new Timestamp(timestamp) + new Duration(duration)).Units);

    [Theory]
    [MemberData(nameof(Clocks))]
    public void DeadlineTick_AnyDueTimeAtAnyMoment_IsNeverEarlyAndAtMostOneTickLate(long frequency, TimeSpan resolution)
    {
        var source = new HandClock(frequency) { Timestamp = 123_456_789_012 };
        var clock = new TickClock(source, resolution);
        var random = new Random(7);
        for (var i = 0; i < 2_000; i++)
        {
            var now = random.NextInt64(1L << random.Next(1, 56));
            var dueTime = new TimeSpan(random.NextInt64(1L << random.Next(1, 50)));
            source.Timestamp = 123_456_789_012 + now;

            var deadline = clock.TimestampAt(clock.DeadlineTick(clock.DueAt(dueTime))).Units;

            // In exact arithmetic: deadline / frequency - (now / frequency + dueTime), times frequency * 10^7.
            var lateness = (
                (BigInteger)deadline * TimeSpan.TicksPerSecond)
                - ((BigInteger)now * TimeSpan.TicksPerSecond)
                - ((BigInteger)dueTime.Ticks * frequency);
            var tick = (BigInteger)clock.TimestampAt(1).Units * TimeSpan.TicksPerSecond;
            Assert.True(lateness >= 0, $"Early by {-lateness} at {now} for {dueTime}.");
            Assert.True(
                lateness < tick + TimeSpan.TicksPerSecond,
                $"Late by more than a tick and a unit: {lateness} at {now} for {dueTime}.");
        }
    }

    [Theory]
    [MemberData(nameof(Clocks))]
    public void TimestampAt_OneTick_IsTheResolutionRoundedUp(long frequency, TimeSpan resolution)
    {
        var clock = new TickClock(new HandClock(frequency), resolution);

        var exact = (BigInteger)resolution.Ticks * frequency;
        Assert.Equal((exact + TimeSpan.TicksPerSecond - 1) / TimeSpan.TicksPerSecond, clock.TimestampAt(1).Units);
    }

    [Theory]
    [MemberData(nameof(Clocks))]
    public void TickAt_AroundMultiples_IsExact(long frequency, TimeSpan resolution)
    {
        var clock = new TickClock(new HandClock(frequency), resolution);
        var width = clock.TimestampAt(1).Units;
        var last = (1L << 62) / width;
        foreach (var tick in (long[])[1, 2, 63, 64, 65, 4_096, last / 3, last / 2, last - 1, last])
        {
            if (tick is <= 0 or > TimerWheel.MaxTick)
            {
                continue;
            }

            var timestamp = tick * width;
            Assert.Equal(tick - 1, clock.TickAt(new Timestamp(timestamp - 1)));
            Assert.Equal(tick, clock.TickAt(new Timestamp(timestamp)));
            Assert.Equal(width == 1 ? tick + 1 : tick, clock.TickAt(new Timestamp(timestamp + 1)));
            Assert.Equal(width == 1 ? tick - 1 : tick, clock.DeadlineTick(new Timestamp(timestamp - 1)));
            Assert.Equal(tick, clock.DeadlineTick(new Timestamp(timestamp)));
            Assert.Equal(tick + 1, clock.DeadlineTick(new Timestamp(timestamp + 1)));
        }
    }

    [Theory]
    [MemberData(nameof(Clocks))]
    public void TickAt_AnyTimeUpTo2To62_IsTheExactQuotient(long frequency, TimeSpan resolution)
    {
        var clock = new TickClock(new HandClock(frequency), resolution);
        var width = clock.TimestampAt(1).Units;
        var random = new Random(11);
        for (var i = 0; i < 2_000; i++)
        {
            var timestamp = i < 1_000
                ? (1L << 62) - random.Next(1_000_000)
                : random.NextInt64(1L << random.Next(1, 62));
            Assert.Equal(timestamp / width, clock.TickAt(new Timestamp(timestamp)));
            Assert.Equal(
                (timestamp / width) + (timestamp % width == 0 ? 0 : 1), clock.DeadlineTick(new Timestamp(timestamp)));
        }
    }

    [Fact]
    public void DeadlineTick_OfADueTime_IsRoundedUpOrNever()
    {
        var source = new HandClock { Timestamp = TimeSpan.TicksPerSecond };
        var clock = new TickClock(source, TimeSpan.FromMilliseconds(10));
        source.Timestamp += TimeSpan.TicksPerSecond;

        Assert.Equal(100, clock.DeadlineTick(TimeSpan.Zero));
        Assert.Equal(101, clock.DeadlineTick(new TimeSpan(1)));
        Assert.Equal(200, clock.DeadlineTick(TimeSpan.FromSeconds(1)));
        Assert.Equal(TimerWheel.Never, clock.DeadlineTick(Timeout.InfiniteTimeSpan));
    }

    [Fact]
    public void Provider_IsTheClockThatWasGiven()
    {
        var source = new HandClock();

        Assert.Same(source, new TickClock(source, TimeSpan.FromSeconds(1)).Provider);
        Assert.Same(TimeProvider.System, new TickClock(TimeProvider.System, TimeSpan.FromSeconds(1)).Provider);
        var half = new Duration(TimeSpan.TicksPerSecond / 2);
        Assert.Equal(0.5, new TickClock(source, TimeSpan.FromSeconds(1)).ToSeconds(half));
    }

    // Half of a timestamp's range is left for the present.
    [Theory]
    [InlineData(1_000_000_000, long.MaxValue / 2)]
    [InlineData(1_000, 922_337_203_685_478)]
    public void ToDuration_Longest_IsCutIfNecessary(long frequency, long longest)
    {
        var clock = new TickClock(new HandClock(frequency), TimeSpan.FromMilliseconds(1));
        var cut = clock.ToDuration(TimeSpan.MaxValue).Units;

        // Exact to within what a TimeSpan can express.
        Assert.InRange(cut, longest - Math.Max(1, frequency / TimeSpan.TicksPerSecond), longest);
        Assert.Equal(cut, clock.ToDuration(TimeSpan.MaxValue - new TimeSpan(1)).Units);
    }

    [Theory]
    [MemberData(nameof(Clocks))]
    public void DueAt_LongestDueTime_SaturatesAndDoesNotOverflow(long frequency, TimeSpan resolution)
    {
        var source = new HandClock(frequency);
        var clock = new TickClock(source, resolution);
        source.Timestamp = 1L << 61;

        var due = clock.DueAt(TimeSpan.MaxValue);
        var tick = clock.DeadlineTick(due);

        Assert.True(due.Units > source.Timestamp, $"Due at {due}.");
        Assert.InRange(tick, clock.NowTick() + 1, long.MaxValue);

        // A due time of a century is not shortened while the clock's unit is a nanosecond or longer.
        var century = TimeSpan.FromDays(36_525);
        Assert.True(
            frequency > 1_000_000_000
                || (BigInteger)clock.ToDuration(century).Units * TimeSpan.TicksPerSecond
                    >= (BigInteger)century.Ticks * frequency,
            "A century was cut.");
    }

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(long.MinValue, 0)]
    [InlineData(0, 0)]
    public void TickAt_BeforeTheStart_IsZero(long timestamp, long expected)
    {
        var clock = new TickClock(new HandClock(), TimeSpan.FromMilliseconds(10));

        Assert.Equal(expected, clock.TickAt(new Timestamp(timestamp)));
        Assert.Equal(expected, clock.DeadlineTick(new Timestamp(timestamp)));
    }

    [Fact]
    public void TimestampAt_TheLastTick_Saturates()
    {
        var clock = new TickClock(new HandClock(1_000_000_000), TimeSpan.FromSeconds(1));

        Assert.Equal(long.MaxValue, clock.TimestampAt(TimerWheel.MaxTick).Units);
        Assert.True(clock.Until(TimerWheel.MaxTick) > TimeSpan.FromDays(365 * 290));
    }

    [Theory]
    [MemberData(nameof(Clocks))]
    public void ToTimeSpan_OfToDuration_IsNotShorter(long frequency, TimeSpan resolution)
    {
        var clock = new TickClock(new HandClock(frequency), resolution);
        foreach (
            var duration in (TimeSpan[])
            [
                TimeSpan.Zero,
                TimeSpan.FromTicks(1),
                TimeSpan.FromMilliseconds(1),
                TimeSpan.FromDays(40),
                TimeSpan.FromDays(10_000)
            ])
        {
            Assert.True(
                clock.ToTimeSpan(clock.ToDuration(duration)) >= duration,
                $"{duration} became {clock.ToTimeSpan(clock.ToDuration(duration))}.");
        }

        Assert.Equal(TimeSpan.Zero, clock.ToTimeSpan(default));
        Assert.True(clock.ToTimeSpan(new Duration(long.MaxValue)) > TimeSpan.FromDays(10_000));
    }

    [Theory]
    [InlineData(5_000_000)]
    [InlineData(long.MinValue + 7)]
    public void Now_CountsFromTheCreation(long created)
    {
        var source = new HandClock { Timestamp = created };
        var clock = new TickClock(source, TimeSpan.FromMilliseconds(10));
        Assert.Equal((0L, 0L), (clock.Now().Units, clock.NowTick()));

        source.Skip(TimeSpan.FromMilliseconds(25));

        Assert.Equal((250_000L, 2L), (clock.Now().Units, clock.NowTick()));
    }

    [Fact]
    public void Until_TickThatHasBegun_IsZero()
    {
        var source = new HandClock();
        var clock = new TickClock(source, TimeSpan.FromMilliseconds(10));
        source.Skip(TimeSpan.FromMilliseconds(25));

        Assert.Equal(TimeSpan.Zero, clock.Until(2));
        Assert.Equal(TimeSpan.FromMilliseconds(5), clock.Until(3));
        Assert.Equal(new Duration(50_000), clock.ElapsedSince(2, clock.Now()));
        Assert.Equal(default, clock.ElapsedSince(3, clock.Now()));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-5)]
    public void New_FrequencyIsNotPositive_ThrowsAndNamesTheClock(long frequency)
    {
        var exception = Assert.Throws<ArgumentException>(
            () => new TickClock(new HandClock(frequency), TimeSpan.FromMilliseconds(10)));

        Assert.Contains(nameof(HandClock), exception.Message, StringComparison.Ordinal);
    }

    // With a million million units a second, due times were shortened to 53 days, so timers fired early.
    [Theory]
    [InlineData(20_000_000_000)]
    [InlineData(1_000_000_000_000)]
    [InlineData(long.MaxValue)]
    public void New_FrequencyTooHighForTenYears_ThrowsNamingClockAndFrequency(long frequency)
    {
        var exception = Assert.Throws<ArgumentException>(
            () => new TickClock(new HandClock(frequency), TimeSpan.FromMilliseconds(10)));

        Assert.Contains(nameof(HandClock), exception.Message, StringComparison.Ordinal);
        Assert.Contains($"{frequency}", exception.Message, StringComparison.Ordinal);
        Assert.Matches(@"not exceed [\d.]+ days, but ten years", exception.Message);
        Assert.Contains("lower frequency", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void New_FrequencyJustAllowsTenYears_IsTheHighest()
    {
        const long Highest = long.MaxValue / 2 / (3_650 * 86_400L);

        _ = new TickClock(new HandClock(Highest), TimeSpan.FromMilliseconds(10));

        Assert.Throws<ArgumentException>(
            () => new TickClock(new HandClock(Highest + 1), TimeSpan.FromMilliseconds(10)));
    }
}
