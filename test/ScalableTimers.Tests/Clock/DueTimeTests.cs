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

    [Theory]
    [InlineData(-19_999, true)]
    [InlineData(-20_000, false)]
    [InlineData(42_949_672_949_999, true)]
    [InlineData(42_949_672_950_000, false)]
    public void ThrowIfNotTimerRange_CutsToWholeMilliseconds(long duration, bool isAccepted)
    {
        var exception = Record.Exception(() => DueTime.ThrowIfNotTimerRange(new TimeSpan(duration), "period"));

        Assert.Equal(isAccepted, exception is null);
        Assert.True(isAccepted || exception is ArgumentOutOfRangeException { ParamName: "period" });
    }

    [Fact]
    public void ThrowIfNotTimerRange_OutOfRange_SaysWhatIsAccepted()
    {
        var exception = Assert.Throws<ArgumentOutOfRangeException>(
            static () => DueTime.ThrowIfNotTimerRange(TimeSpan.MaxValue, "period"));

        Assert.Equal(TimeSpan.MaxValue, exception.ActualValue);
        Assert.StartsWith(
            "A timer accepts a duration from 0 to 4294967294 milliseconds, or -1 millisecond for infinite.",
            exception.Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 10_000)]
    [InlineData(9_999, 10_000)]
    [InlineData(10_000, 10_000)]
    [InlineData(10_001, 20_000)]
    public void RoundUpToMilliseconds_AnyWait_IsTheNextWholeMillisecond(long wait, long expected) =>
        Assert.Equal(new TimeSpan(expected), DueTime.RoundUpToMilliseconds(new TimeSpan(wait)));
}
