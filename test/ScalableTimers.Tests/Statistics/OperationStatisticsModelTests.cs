using System.Collections.Concurrent;

namespace ScalableTimers.Tests.Statistics;

/// <summary>Compares statistics with lists of all durations, with threads that stay and threads that end.</summary>
public sealed class OperationStatisticsModelTests : IDisposable
{
    private readonly BlockingCollection<Action>[] _work = [new(), new(), new()];
    private readonly List<Thread> _workers;

    public OperationStatisticsModelTests()
    {
        _workers = [.. _work.Select(static work => new Thread(() =>
        {
            foreach (var action in work.GetConsumingEnumerable())
            {
                action();
            }
        }))];
        _workers.ForEach(static worker => worker.Start());
    }

    public void Dispose()
    {
        Array.ForEach(_work, static work => work.CompleteAdding());
        _workers.ForEach(static worker => worker.Join());
        Array.ForEach(_work, static work => work.Dispose());
    }

    // Seen to fail, with each seed, when FoldEndedLocked drops what ended threads have added.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void AnySequence_MatchesTheModel(int seed)
    {
        var random = new Random(seed);
        using var statistics = new OperationStatistics();
        var model = new SortedDictionary<int, List<long>>();
        for (var step = 0; step < 3_000; step++)
        {
            var operation = random.Next(12);
            switch (random.Next(100))
            {
                case 0:
                    statistics.Clear();
                    model.Values.ToList().ForEach(static durations => durations.Clear());
                    break;
                case < 10:
                    AssertEqual(model, statistics, $"step {step}, seed {seed}");
                    break;
                default:
                    // Operations are registered in order, so that the summaries are in the model's order.
                    for (var i = model.Count; i <= operation; i++)
                    {
                        model.Add(i, []);
                        statistics.Register(Name(i));
                    }

                    var durations = Enumerable.Range(0, random.Next(20))
                        .Select(_ => random.NextInt64(1L << random.Next(1, 45)))
                        .ToList();
                    model[operation].AddRange(durations);
                    Run(
                        random,
                        () => durations.ForEach(duration => statistics.Add(Name(operation), new TimeSpan(duration))));
                    break;
            }
        }

        AssertEqual(model, statistics, $"the end, seed {seed}");
    }

    private static string Name(int operation) => $"operation {operation}";

    private static void AssertEqual(
        SortedDictionary<int, List<long>> model, OperationStatistics statistics, string when)
    {
        var rows = statistics.GetSnapshot();
        Assert.Equal(model.Keys.Select(Name), rows.Select(static row => row.Operation));
        foreach (var (row, durations) in rows.Zip(model.Values))
        {
            durations.Sort();
            var expected = durations.Count == 0
                ? new OperationSummary { Operation = row.Operation }
                : row with
                {
                    Count = durations.Count,
                    TotalTime = new TimeSpan(durations.Sum()),
                    MaxTime = new TimeSpan(durations[^1]),
                    MinTime = new TimeSpan(durations[0]),
                };
            Assert.True(expected == row, $"{row} in place of {expected}, at {when}.");
            if (durations.Count > 0)
            {
                AssertClose(durations, 0.50, row.P50Time);
                AssertClose(durations, 0.99, row.P99Time);
            }
        }
    }

    private static void AssertClose(List<long> sorted, double share, TimeSpan actual)
    {
        var expected = sorted[(int)Math.Ceiling(sorted.Count * share) - 1];
        Assert.InRange(actual.Ticks, expected * 15 / 16.0, expected * 17 / 16.0);
    }

    private void Run(Random random, Action action)
    {
        var where = random.Next(_work.Length + 2);
        if (where == _work.Length)
        {
            action();
            return;
        }

        if (where > _work.Length)
        {
            Wait.ForThread(action);
            return;
        }

        using var done = new ManualResetEventSlim();
        _work[where].Add(() =>
        {
            action();
            done.Set();
        });
        done.Wait();
    }
}
