using Orleans.Timers.Scalable.Messaging;

namespace Orleans.Timers.Scalable.Tests;

public sealed class CheckPeriodTests
{
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(200);

    [Theory]
    [InlineData(1000, 100)]
    [InlineData(30_000, 200)]
    [InlineData(0, 20)]
    public void Shortest_OfATimeout_IsATenthOfItWithinBounds(int timeout, int expected) =>
        Assert.Equal(TimeSpan.FromMilliseconds(expected), Period(timeout).Shortest);

    [Theory]
    [InlineData(200, 5)]
    [InlineData(400, 10)]
    [InlineData(30_000, 20)]
    public void Grace_OfATimeout_IsAQuarterOfAPeriodUpToABound(int timeout, int expected) =>
        Assert.Equal(TimeSpan.FromMilliseconds(expected), Period(timeout).Grace);

    // Cheap checks, expensive ones that take a twentieth of a processor, one that only seemed expensive, very expensive
    // ones, and some during which the process may have stood still.
    [Theory]
    [InlineData(new[] { 0.5 }, 19.5)]
    [InlineData(new double[] { 5, 5, 5, 5 }, 95)]
    [InlineData(new[] { 0.5, 0.5, 0.5, 8 }, 12)]
    [InlineData(new double[] { 80, 80, 80, 80 }, 120)]
    [InlineData(new[] { 0.5, 199.5 }, 199.5)]
    [InlineData(new double[] { 700 }, 700)]
    [InlineData(new double[] { 3000 }, 1000)]
    public void RestAfter_Checks_DependsOnTheirCost(double[] costs, double expected)
    {
        var period = Period(200);
        var rest = TimeSpan.Zero;
        foreach (var cost in costs)
        {
            rest = period.RestAfter(TimeSpan.FromMilliseconds(cost), isIdle: false);
        }

        Assert.Equal(TimeSpan.FromMilliseconds(expected), rest);
    }

    [Theory]
    [InlineData(100, 100)]
    [InlineData(30_000, 200)]
    [InlineData(5, 20)]
    public void RestAfter_NoneIsOutstanding_IsTheShortestTimeoutWithinBounds(int timeout, int expected) =>
        Assert.Equal(TimeSpan.FromMilliseconds(expected), Period(timeout).RestAfter(TimeSpan.Zero, isIdle: true));

    private static CheckPeriod Period(int timeout) => new(TimeSpan.FromMilliseconds(timeout), s_shortest, s_longest);
}
