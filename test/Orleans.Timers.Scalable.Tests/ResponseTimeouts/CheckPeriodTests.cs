namespace Orleans.Timers.Scalable.Tests;

public sealed class CheckPeriodTests
{
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(200);

    [Theory]
    [InlineData(100, 20)]
    [InlineData(200, 20)]
    [InlineData(1000, 100)]
    [InlineData(30_000, 200)]
    [InlineData(0, 20)]
    public void Shortest_OfATimeout_IsATenthOfItWithinBounds(int timeout, int expected) =>
        Assert.Equal(TimeSpan.FromMilliseconds(expected), Period(timeout).Shortest);

    [Fact]
    public void RestAfter_CheapCheck_EndsOnePeriodAfterItsBeginning() =>
        Assert.Equal(
            TimeSpan.FromMilliseconds(19.5), Period(200).RestAfter(TimeSpan.FromMilliseconds(0.5), isIdle: false));

    [Fact]
    public void RestAfter_DearChecks_TakeATwentiethOfAProcessor() =>
        Assert.Equal(TimeSpan.FromMilliseconds(95), RestAfterFour(Period(200), 5, 5, 5, 5));

    [Fact]
    public void RestAfter_OneCheckSeemedDear_IsNotRarer() =>
        Assert.Equal(TimeSpan.FromMilliseconds(12), RestAfterFour(Period(200), 0.5, 0.5, 0.5, 8));

    [Fact]
    public void RestAfter_VeryDearChecks_IsNoLongerThanTheLongest() =>
        Assert.Equal(TimeSpan.FromMilliseconds(120), RestAfterFour(Period(200), 80, 80, 80, 80));

    [Fact]
    public void RestAfter_CheckTookLongerThanAnyPeriod_LeavesAMillisecondToOthers() =>
        Assert.Equal(TimeSpan.FromMilliseconds(1), Period(200).RestAfter(TimeSpan.FromSeconds(3), isIdle: false));

    [Theory]
    [InlineData(100, 100)]
    [InlineData(200, 200)]
    [InlineData(30_000, 200)]
    [InlineData(5, 20)]
    public void RestAfter_NoneIsOutstanding_IsTheShortestTimeoutWithinBounds(int timeout, int expected) =>
        Assert.Equal(TimeSpan.FromMilliseconds(expected), Period(timeout).RestAfter(TimeSpan.Zero, isIdle: true));

    [Fact]
    public void RestAfter_MoreChecksThanAnIntegerCounts_DoesNotFail()
    {
        var period = Period(200);
        typeof(CheckPeriod).GetField(
            "_checks",
            System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic)!
            .SetValue(period, int.MaxValue);

        Assert.Equal(s_shortest, RestAfterFour(period, 0, 0, 0, 0));
    }

    private static CheckPeriod Period(int timeout) => new(TimeSpan.FromMilliseconds(timeout), s_shortest, s_longest);

    private static TimeSpan RestAfterFour(CheckPeriod period, params ReadOnlySpan<double> milliseconds)
    {
        var rest = TimeSpan.Zero;
        foreach (var cost in milliseconds)
        {
            rest = period.RestAfter(TimeSpan.FromMilliseconds(cost), isIdle: false);
        }

        return rest;
    }
}
