using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable.Tests;

public sealed class DeadlineCountsTests
{
    [Fact]
    public void Counts_RefusalsAndIgnoredHeaders_AreBrokenDownByTag()
    {
        using var container = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var factory = container.GetRequiredService<IMeterFactory>();
        using var counts = new DeadlineCounts("client", factory);
        Assert.Empty(Counters.Read(factory, DeadlineCounts.Refused));
        counts.CountRefused(DeadlineCounts.Caller, "IQuoteGrain", "Quote");
        counts.CountRefused(DeadlineCounts.Callee, "IQuoteGrain", "Quote");
        counts.CountRefused(DeadlineCounts.Callee, "IQuoteGrain", "Quote");
        counts.CountRefused(DeadlineCounts.Callee, "IQuoteGrain", "Ask");
        counts.CountIgnored();

        Assert.Equal([1], Counters.Read(factory, DeadlineCounts.Refused, "caller"));
        Assert.Equal([1, 2], Counters.Read(factory, DeadlineCounts.Refused, "callee"));
        Assert.Equal([1], Counters.Read(factory, DeadlineCounts.Refused, "Ask"));
        Assert.Equal((1, 3), (counts.RefusedBy(DeadlineCounts.Caller), counts.RefusedBy(DeadlineCounts.Callee)));
        Assert.Equal([1], Counters.Read(factory, DeadlineCounts.Ignored, "client"));
    }
}
