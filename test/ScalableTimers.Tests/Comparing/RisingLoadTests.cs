using ScalableTimers.Compare.Workloads.TimeoutTokens;

namespace ScalableTimers.Tests.Comparing;

public class RisingLoadTests
{
    [Theory]
    [InlineData(1_500)]
    [InlineData(199_999)]
    [InlineData(200_000)]
    [InlineData(430_000)]
    [InlineData(3_000_000)]
    public void FindHighest_Limit_IsFoundWithinThePrecisionFromBelow(double limit)
    {
        var found = RisingLoad.FindHighest(200_000, load => load <= limit);

        Assert.InRange(found, limit / RisingLoad.Precision, limit);
    }

    // Calibrated by asking once only: the result is zero.
    [Fact]
    public void FindHighest_EveryLoadFailsOnce_IsAskedAgain()
    {
        var asked = new HashSet<double>();

        var found = RisingLoad.FindHighest(200_000, load => !asked.Add(load) && load <= 430_000);

        Assert.InRange(found, 430_000 / RisingLoad.Precision, 430_000);
    }

    [Fact]
    public void FindHighest_NothingIsCarried_IsZero() =>
        Assert.Equal(0, RisingLoad.FindHighest(200_000, static _ => false));
}
