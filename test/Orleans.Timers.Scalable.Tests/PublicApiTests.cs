using ScalableTimers.Tests.PublicApi;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// What the plugin offers is what its golden file says. A change of it is a decision, seen in review.
/// </summary>
public class PublicApiTests
{
    [Fact]
    public void OrleansTimersScalable_IsAsAgreed() =>
        PublicApiBaseline.AssertAgreed(typeof(IGrainDelay).Assembly, "Orleans.Timers.Scalable.Tests");
}
