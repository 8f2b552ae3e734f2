using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable.Tests;

public sealed class DeadlineCountsTests
{
    [Fact]
    public void Counts_TellWhoRefusedAndWhereHeadersWereIgnored()
    {
        using var container = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var factory = container.GetRequiredService<IMeterFactory>();
        using var counts = new DeadlineCounts("client", factory);
        counts.CountRefusedAsCaller();
        counts.CountRefusedAsCallee();
        counts.CountRefusedAsCallee();
        counts.CountIgnored();

        Assert.Equal([1], Counters.Read(factory, DeadlineCounts.Refused, "caller"));
        Assert.Equal([2], Counters.Read(factory, DeadlineCounts.Refused, "callee"));
        Assert.Equal([1], Counters.Read(factory, DeadlineCounts.Ignored, "client"));
    }
}
