using ScalableTimers.Clock;

namespace ScalableTimers.Tests.Clock;

public class DueTimeTests
{
    [Theory]
    [InlineData(long.MaxValue, long.MaxValue)]
    [InlineData(1, 1)]
    [InlineData(0, 0)]
    [InlineData(-1, 0)]
    [InlineData(-9_999, 0)]
    [InlineData(-10_000, -10_000)]
    [InlineData(-19_999, -10_000)]
    public void Normalize_Accepted_IsNotNegativeOrInfinite(long duration, long expected) =>
        Assert.Equal(new TimeSpan(expected), DueTime.Normalize(new TimeSpan(duration)));

    [Theory]
    [InlineData(-20_000)]
    [InlineData(long.MinValue)]
    public void Normalize_TooSmall_ThrowsAndNamesTheArgument(long duration)
    {
        var timeout = new TimeSpan(duration);

        var exception = Assert.Throws<ArgumentOutOfRangeException>(() => DueTime.Normalize(timeout));

        Assert.Equal(("timeout", timeout), (exception.ParamName, exception.ActualValue));
        Assert.StartsWith(
            "A duration must be zero, positive, or -1 millisecond for infinite.",
            exception.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void ThrowIfTooLongForTimers_TheLongest_IsCutToWholeMilliseconds()
    {
        var period = new TimeSpan(42_949_672_950_000);
        DueTime.ThrowIfTooLongForTimers(period - new TimeSpan(1));

        var exception = Assert.Throws<ArgumentOutOfRangeException>(() => DueTime.ThrowIfTooLongForTimers(period));

        Assert.Equal(("period", period), (exception.ParamName, exception.ActualValue));
        Assert.StartsWith(
            "A timer accepts at most 4294967294 milliseconds.", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 10_000)]
    [InlineData(9_999, 10_000)]
    [InlineData(10_000, 10_000)]
    [InlineData(10_001, 20_000)]
    [InlineData(long.MaxValue, long.MaxValue)]
    public void RoundUpToMilliseconds_AnyWait_IsTheNextWholeMillisecond(long wait, long expected) =>
        Assert.Equal(new TimeSpan(expected), DueTime.RoundUpToMilliseconds(new TimeSpan(wait)));
}
