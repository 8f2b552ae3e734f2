using Microsoft.Extensions.Time.Testing;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The code of the page on operation statistics.</summary>
public class StatisticsSnippets
{
    private enum Phase
    {
        Load,
        Save,
    }

    [Fact]
    public void Table_OfSomeOperations_IsThePages()
    {
        var clock = new FakeTimeProvider();
        using var statistics = new OperationStatistics(clock: clock);

        var foo = statistics.Register("Foo");
        statistics.Add(foo, TimeSpan.FromMilliseconds(1));
        statistics.Add(foo, TimeSpan.FromMilliseconds(20));
        using (statistics.Measure("Bar"))
        {
            clock.Advance(TimeSpan.FromMilliseconds(500));
        }

        var table = statistics.ToString();

        Assert.Equal(
            string.Join(
                Environment.NewLine,
                "Operation Count TotalTimeMs MaxTimeMs MinTimeMs",
                "Foo 2 21 20 1",
                "Bar 1 500 500 500"),
            table);
    }

    [Fact]
    public void Enum_AndSnapshot_AreThePages()
    {
        using var statistics = new OperationStatistics("orders");
        statistics.Add(Phase.Load, TimeSpan.FromMilliseconds(3));
        statistics.Add(Phase.Save, TimeSpan.FromMilliseconds(7));

        foreach (var row in statistics.Snapshot())
        {
            Assert.True(row.Count == 1 && row.MeanTime <= row.MaxTime && row.P50Time <= row.P99Time);
        }

        statistics.Clear();

        Assert.All(statistics.Snapshot(), static row => Assert.Equal(0, row.Count));
    }
}
