using System.Runtime.CompilerServices;

namespace ScalableTimers.Tests.Statistics;

/// <summary>Threads that race, and what the garbage collector sees.</summary>
public partial class OperationStatisticsTests
{
    [Fact]
    public async Task Clear_WhileThreadsAdd_LosesNothingThatCameAfterIt()
    {
        // Calibrated by letting Clear reset the cells instead of their generation: fails.
        using var statistics = new OperationStatistics();
        var operation = statistics.Register("Foo");
        var rounds = new long[4];
        var round = 1L;
        using var end = new CancellationTokenSource();
        var adders = Enumerable.Range(0, rounds.Length).Select(i => Task.Factory.StartNew(
            () =>
            {
                var added = 0L;
                while (!end.IsCancellationRequested)
                {
                    // In a new round the thread adds a hundred runs of one tick, and then runs of zero ticks until the
                    // next round.
                    var now = Volatile.Read(ref round);
                    for (var run = 0; now != added && run < 100; run++)
                    {
                        statistics.Add(operation, TimeSpan.FromTicks(1));
                    }

                    added = now;
                    Volatile.Write(ref rounds[i], added);
                    statistics.Add(operation, TimeSpan.Zero);
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default)).ToList();

        for (var i = 0; i < 200; i++)
        {
            SpinWait.SpinUntil(() => Array.TrueForAll(rounds, done => done == round));
            statistics.Clear();
            Interlocked.Increment(ref round);
            SpinWait.SpinUntil(() => Array.TrueForAll(rounds, done => done == round));
            Assert.Equal(rounds.Length * 100 / 10_000.0, statistics.Snapshot()[0].TotalTimeMs, 1e-9);
        }

        await end.CancelAsync();
        await Task.WhenAll(adders);
    }

    [Fact]
    public void Add_SteadyState_AllocatesNothing()
    {
        using var statistics = new OperationStatistics();
        var operation = statistics.Register(Phase.Lock);

        // The least of several rounds: the first ones also pay for compilation.
        Assert.Equal(0, Enumerable.Range(0, 5).Min(_ => Run(10_000)));

        long Run(int count)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < count; i++)
            {
                statistics.Add(operation, TimeSpan.FromTicks(i));
                statistics.Add("Lock", TimeSpan.FromTicks(i));
                statistics.Add(Phase.Commit, TimeSpan.FromTicks(i));
                statistics.Measure(operation).Dispose();
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Fact]
    public void Statistics_NobodyUsesThemAnyMore_AreCollectedThoughAThreadHasAdded()
    {
        Wait.ForCollection(Use());

        [MethodImpl(MethodImplOptions.NoInlining)]
        static WeakReference Use()
        {
            using var statistics = new OperationStatistics();
            statistics.Add("Foo", TimeSpan.Zero);
            return new WeakReference(statistics);
        }
    }
}
