using System.Numerics;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

public class TickWindowTests
{
    [Theory]
    [InlineData(100, 100, 100)]
    [InlineData(101, 112, 112)]
    [InlineData(101, 128, 128)]
    [InlineData(0, 1_000, 0)]
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
                var expected = Enumerable.Range((int)first, (int)(last - first + 1))
                    .MaxBy(BitOperations.TrailingZeroCount);

                Assert.Equal(expected, TickWindow.MostAligned(first, last));
            }
        }
    }
}
