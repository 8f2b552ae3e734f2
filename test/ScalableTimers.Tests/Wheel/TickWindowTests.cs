using System.Numerics;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

public class TickWindowTests
{
    [Theory]
    [InlineData(100, 100, 100)]
    [InlineData(100, 101, 100)]
    [InlineData(101, 110, 104)]
    [InlineData(101, 112, 112)]
    [InlineData(101, 127, 112)]
    [InlineData(101, 128, 128)]
    [InlineData(0, 1_000, 0)]
    [InlineData(1, 1_000, 512)]
    [InlineData(1, 1, 1)]
    [InlineData(TimerWheel.MaxTick, TimerWheel.MaxTick, TimerWheel.MaxTick)]
    [InlineData(1, TimerWheel.MaxTick, 1L << 50)]
    public void MostAligned_OfAWindow_IsTheMultipleOfTheHighestPowerOfTwo(long first, long last, long expected) =>
        Assert.Equal(expected, TickWindow.MostAligned(first, last));

    [Fact]
    public void MostAligned_OfEverySmallWindow_LiesWithinAndHasTheMostTrailingZeros()
    {
        for (var first = 1L; first < 300; first++)
        {
            for (var last = first; last < 300; last++)
            {
                var expected = Ticks(first, last).MaxBy(BitOperations.TrailingZeroCount);

                Assert.Equal(expected, TickWindow.MostAligned(first, last));
            }
        }
    }

    [Fact]
    public void MostAligned_OfWindowsOfNTicks_UsesOneTickInEachPowerOfTwoBelowN()
    {
        // Any 11 ticks include a multiple of 8. So at most one tick in eight is used, however many timers there are.
        var used = Ticks(1, 10_000)
            .Select(static first => TickWindow.MostAligned(first, first + 10))
            .Distinct()
            .ToList();

        Assert.All(used, static tick => Assert.Equal(0, tick % 8));
        Assert.InRange(used.Count, 1, 1_252);
    }

    private static IEnumerable<long> Ticks(long first, long last)
    {
        for (var tick = first; tick <= last; tick++)
        {
            yield return tick;
        }
    }
}
