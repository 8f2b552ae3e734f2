using ScalableTimers.Clock;

namespace ScalableTimers.Tests.Clock;

public class TimestampTests
{
    [Theory]
    [InlineData(3, 3)]
    [InlineData(3, 4)]
    [InlineData(4, 3)]
    public void Comparison_OfAnyTwo_IsThatOfTheirUnits(long one, long other)
    {
        var (first, second) = (new Timestamp(one), new Timestamp(other));
        Assert.Equal(
            (one < other, one <= other, one > other, one >= other),
            (first < second, first <= second, first > second, first >= second));

        var (shorter, longer) = (new Duration(one), new Duration(other));
        Assert.Equal((one <= other, one >= other), (shorter <= longer, shorter >= longer));
    }

    [Fact]
    public void Arithmetic_OfMomentsAndDurations_StopsAtTheLastMoment()
    {
        var duration = new Timestamp(10) - new Timestamp(3);

        Assert.Equal(new Duration(7), duration);
        Assert.Equal((new Duration(21), 3), (duration * 3, new Duration(27) / duration));
        Assert.Equal(Timestamp.Last, Timestamp.Last + duration);
        Assert.True(Timestamp.Last < Timestamp.Never);
    }
}
