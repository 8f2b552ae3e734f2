namespace ScalableTimers.Tests.Documentation;

/// <summary>The code about operation statistics.</summary>
public class StatisticsSnippets
{
    private enum Phase
    {
        Load,
        Save,
    }

    [Fact]
    public void Snapshot_OfAnEnum_IsClearedByClear()
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
