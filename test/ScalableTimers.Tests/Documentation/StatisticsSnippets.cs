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

        Assert.Equal(
            [("Load", 1, 3), ("Save", 1, 7)],
            statistics.GetSnapshot().Select(static row => (row.Operation, row.Count, row.MaxTime.Milliseconds)));

        statistics.Clear();

        Assert.Equal([0, 0], statistics.GetSnapshot().Select(static row => row.Count));
    }
}
