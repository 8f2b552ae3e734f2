namespace Orleans.Timers.Scalable.Tests;

public class TransactionPhaseStatisticsTests
{
    [Fact]
    public void Clear_AfterSomePhases_ForgetsDurationsAndTimeouts()
    {
        using IDisposable owned = new TransactionPhaseStatistics();
        var statistics = (TransactionPhaseStatistics)owned;
        statistics.Took(TransactionPhase.Commit, TimeSpan.FromMilliseconds(3));
        statistics.TimedOut(TransactionPhase.Commit);
        Assert.Equal((1L, 1L), Sums(statistics));

        statistics.Clear();
        Assert.Equal((0L, 0L), Sums(statistics));

        statistics.Took(TransactionPhase.Prepare, TimeSpan.FromMilliseconds(3));
        Assert.Equal((1L, 0L), Sums(statistics));
    }

    private static (long Runs, long Timeouts) Sums(TransactionPhaseStatistics statistics)
    {
        var phases = statistics.Snapshot();
        return (phases.Sum(static phase => phase.Durations.Count), phases.Sum(static phase => phase.Timeouts));
    }
}
