using ScalableTimers.Tests.PublicApi;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// The public API of the plugin is the one in its golden file. A change of it is a decision that reviewers see.
/// </summary>
public class PublicApiTests
{
    [Fact]
    public void OrleansTimersScalable_IsAsAgreed() =>
        PublicApiBaseline.AssertAgreed(typeof(IGrainDelay).Assembly, "Orleans.Timers.Scalable.Tests");
}
