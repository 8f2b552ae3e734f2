namespace ScalableTimers.StressTests.Statistics;

/// <summary>Threads that come and go add to operation statistics, while other threads read and clear them.</summary>
public class OperationStatisticsTests
{
    private const int Writers = 3;

    // Calibrated by checking twice in FoldEndedLocked whether a thread has ended, as an early version did:
    // a run was missing within 2 s in 3 of 3 runs in Release on 2 cores.
    [Fact]
    public void Snapshot_WhileThreadsAddAndEnd_LosesNothing()
    {
        const string Phase = "statistics, read";
        using var statistics = new OperationStatistics();
        var operation = statistics.Register("operation");
        var added = 0L;
        var lastRoundAt = Stress.LastRoundAt(2, 60);
        StressThreads.Run(Phase, Writers + 1, writer =>
        {
            while (!StressTime.IsOver(lastRoundAt))
            {
                if (writer == 0)
                {
                    // No run that was added before the snapshot began may be missing from it.
                    var least = Interlocked.Read(ref added);
                    var count = statistics.Snapshot()[0].Count;
                    Assert.True(count >= least, $"{Phase}: {count} runs in the snapshot, {least} had been added.");
                    continue;
                }

                // The threads live for a few microseconds, so they end while the snapshot looks at them.
                StressThreads.Run(Phase, 1, _ =>
                {
                    statistics.Add(operation, TimeSpan.FromTicks(1));
                    Interlocked.Increment(ref added);
                });
            }
        });
        Assert.Equal(added, statistics.Snapshot()[0].Count);
        Stress.Log($"{Phase}: {added:N0} threads");
    }

    // Calibrated by keeping the epoch in Clear, so that threads continue to add to cells that nobody reads: fails in
    // the first two rounds in 3 of 3 runs.
    [Fact]
    public void Clear_WhileThreadsAdd_LosesNothingButWhatItClears()
    {
        const string Phase = "statistics, cleared";
        var lastRoundAt = Stress.LastRoundAt(2, 60);
        for (var round = 0; !StressTime.IsOver(lastRoundAt); round++)
        {
            using var statistics = new OperationStatistics();
            var operation = statistics.Register("operation");
            var (begun, ended, least, most) = (0, 0, 0L, 0L);
            const int Clears = 200;
            StressThreads.Run(Phase, Writers + 1, thread =>
            {
                if (thread == 0)
                {
                    for (var i = 0; i < Clears; i++)
                    {
                        Interlocked.Increment(ref begun);
                        statistics.Clear();
                        Interlocked.Increment(ref ended);
                        Thread.SpinWait(200);
                    }

                    return;
                }

                var after = 0;
                while (after < 1_000)
                {
                    // A run that began after the last clearing had ended must count. A run that had ended before the
                    // clearing began must not.
                    var isAfter = Volatile.Read(ref ended) == Clears;
                    statistics.Add(operation, TimeSpan.FromTicks(1));
                    var isPerhapsAfter = Volatile.Read(ref begun) == Clears;
                    after += isAfter ? 1 : 0;
                    Interlocked.Add(ref least, isAfter ? 1 : 0);
                    Interlocked.Add(ref most, isPerhapsAfter ? 1 : 0);
                }
            });
            var row = statistics.Snapshot()[0];
            Assert.True(
                least <= row.Count && row.Count <= most,
                $"{Phase} (seed {Stress.Seed}), round {round}: {row.Count} runs, must be from {least} to {most}.");
            Assert.Equal(row.Count, row.TotalTime.Ticks);
        }
    }
}
