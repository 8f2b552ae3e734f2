using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Statistics;

public class OperationStatisticsTests
{
    private enum Phase
    {
        Lock,
        Commit = 7,
    }

    [Fact]
    public void Add_SomeRuns_AreSummarized()
    {
        using var statistics = new OperationStatistics();
        var foo = statistics.Register("Foo");
        foreach (var milliseconds in new[] { 1, 20, 3, 76 })
        {
            statistics.Add(foo, TimeSpan.FromMilliseconds(milliseconds));
        }

        var row = Assert.Single(statistics.Snapshot());
        Assert.Equal(("Foo", 4L, 100.0, 76.0, 1.0, 25.0), (row.Operation, row.Count, row.TotalTimeMs, row.MaxTimeMs, row.MinTimeMs, row.MeanTimeMs));
        Assert.InRange(row.P50TimeMs, 3 * 15 / 16.0, 3 * 17 / 16.0);
        Assert.InRange(row.P99TimeMs, 76 * 15 / 16.0, 76);
    }

    [Fact]
    public void Snapshot_OperationNeverRan_IsAllZero()
    {
        using var statistics = new OperationStatistics();
        statistics.Register("Foo");

        Assert.Equal(new OperationSummary("Foo", 0, 0, 0, 0, 0, 0), Assert.Single(statistics.Snapshot()));
        Assert.Equal(0, statistics.Snapshot()[0].MeanTimeMs);
    }

    [Fact]
    public void Add_ManyRandomRuns_FiguresAreThoseOfAModel()
    {
        var random = new Random(3);
        using var statistics = new OperationStatistics();
        var durations = Enumerable.Range(0, 20_000).Select(_ => TimeSpan.FromTicks(random.NextInt64(1L << random.Next(1, 40)))).ToList();
        durations.ForEach(duration => statistics.Add("Foo", duration));

        var row = statistics.Snapshot()[0];
        durations.Sort();
        Assert.Equal(durations.Count, row.Count);
        Assert.Equal(durations.Sum(static duration => duration.TotalMilliseconds), row.TotalTimeMs, 0.01);
        Assert.Equal(durations[0].TotalMilliseconds, row.MinTimeMs);
        Assert.Equal(durations[^1].TotalMilliseconds, row.MaxTimeMs);
        AssertClose(durations[9_999], row.P50TimeMs);
        AssertClose(durations[19_799], row.P99TimeMs);

        static void AssertClose(TimeSpan expected, double actualMs) =>
            Assert.InRange(actualMs, expected.TotalMilliseconds * 15 / 16, expected.TotalMilliseconds * 17 / 16);
    }

    [Fact]
    public void Register_NameOrEnumAgain_IsTheSameOperation()
    {
        using var statistics = new OperationStatistics();
        var @lock = statistics.Register("Lock");

        Assert.Same(@lock, statistics.Register("Lock"));
        Assert.Same(@lock, statistics.Register(Phase.Lock));
        Assert.Equal("Commit", statistics.Register(Phase.Commit).Name);
        Assert.Equal("99", statistics.Register((Phase)99).Name);
        Assert.Equal("Monday", statistics.Register(DayOfWeek.Monday).ToString());
        Assert.Equal(["Lock", "Commit", "99", "Monday"], statistics.Snapshot().Select(static row => row.Operation));
    }

    [Fact]
    public void Add_ByNameEnumOrOperation_CountsTogether()
    {
        using var statistics = new OperationStatistics();
        statistics.Add("Lock", TimeSpan.FromMilliseconds(1));
        statistics.Add(Phase.Lock, TimeSpan.FromMilliseconds(2));
        statistics.Add(statistics.Register("Lock"), TimeSpan.FromMilliseconds(3));

        Assert.Equal((3L, 6.0), (statistics.Snapshot()[0].Count, statistics.Snapshot()[0].TotalTimeMs));
    }

    [Fact]
    public void Measure_Disposed_AddsTheTimeInBetween()
    {
        var clock = new ManualTimeProvider();
        using var statistics = new OperationStatistics(clock: clock);
        var operation = statistics.Register(Phase.Lock);
        using (statistics.Measure(operation))
        using (statistics.Measure("Lock"))
        using (statistics.Measure(Phase.Lock))
        {
            clock.Advance(TimeSpan.FromMilliseconds(2));
        }

        var row = statistics.Snapshot()[0];
        Assert.Equal((3L, 2.0, 2.0), (row.Count, row.MinTimeMs, row.MaxTimeMs));
        default(OperationMeasurement).Dispose();
    }

    [Fact]
    public void Clear_ForgetsRunsOfAllThreads()
    {
        using var statistics = new OperationStatistics();
        AddOnOtherThreads(statistics, threads: 3, runs: 5);
        statistics.Add("Foo", TimeSpan.FromMilliseconds(1));

        statistics.Clear();

        Assert.Equal(0, statistics.Snapshot()[0].Count);
        statistics.Add("Foo", TimeSpan.FromMilliseconds(4));
        Assert.Equal((1L, 4.0, 4.0), (statistics.Snapshot()[0].Count, statistics.Snapshot()[0].MinTimeMs, statistics.Snapshot()[0].MaxTimeMs));
    }

    [Fact]
    public void Add_ThreadsThatEnd_AreKeptAndTakeNoSpace()
    {
        // Calibrated by dropping the cells of ended threads without adding them up: fails.
        using var statistics = new OperationStatistics();
        for (var i = 1; i <= 20; i++)
        {
            AddOnOtherThreads(statistics, threads: 10, runs: 7);
            if (i % 5 == 0)
            {
                Assert.Equal(i * 70, statistics.Snapshot()[0].Count);
            }

            Assert.InRange(statistics.Threads, 0, 32);
        }
    }

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
                    // A hundred runs of one tick of a new round, then runs of none until the next.
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
    public void Add_InvalidArguments_SayWhatIsWrong()
    {
        using var statistics = new OperationStatistics();
        using var others = new OperationStatistics();
        var foreign = others.Register("Foo");

        Assert.Throws<ArgumentOutOfRangeException>("duration", () => statistics.Add("Foo", TimeSpan.FromTicks(-1)));
        Assert.Contains("\"Foo\"", Assert.Throws<ArgumentException>("operation", () => statistics.Add(foreign, TimeSpan.Zero)).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>("operation", () => statistics.Measure(foreign));
        Assert.Throws<ArgumentException>("operation", () => statistics.Register(""));
        Assert.Throws<ArgumentNullException>("operation", () => statistics.Add((Operation)null!, TimeSpan.Zero));
        Assert.Throws<ArgumentNullException>("operation", () => statistics.Measure((Operation)null!));
        Assert.Equal(0, statistics.Snapshot()[0].Count);
    }

    [Fact]
    public void ToString_IsTheTable()
    {
        using var statistics = new OperationStatistics();
        statistics.Register("Never");
        statistics.Add("Foo", TimeSpan.FromMilliseconds(20));
        statistics.Add("Foo", TimeSpan.FromMilliseconds(1.5));
        statistics.Add("Bar", TimeSpan.FromMilliseconds(500));

        Assert.Equal(
            string.Join(Environment.NewLine, "Operation Count TotalTimeMs MaxTimeMs MinTimeMs", "Foo 2 21.5 20 1.5", "Bar 1 500 500 500"),
            statistics.ToString());
    }

    [Fact]
    public void Metrics_OfNamedStatistics_AreTheSameFigures()
    {
        using var statistics = new OperationStatistics("tests");
        for (var i = 1; i <= 100; i++)
        {
            statistics.Add("Foo", TimeSpan.FromMilliseconds(i * i));
        }

        var seen = new Dictionary<string, double>();
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == "ScalableTimers.Operations")
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => See(instrument, value, tags));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => See(instrument, value, tags));
        listener.Start();

        listener.RecordObservableInstruments();

        var row = Assert.Single(statistics.Snapshot());
        var expected = new Dictionary<string, double>
        {
            ["operation.count"] = row.Count,
            ["operation.time"] = row.TotalTimeMs,
            ["operation.time.max"] = row.MaxTimeMs,
            ["operation.time.min"] = row.MinTimeMs,
            ["operation.time.mean"] = row.MeanTimeMs,
            ["operation.time.p50"] = row.P50TimeMs,
            ["operation.time.p99"] = row.P99TimeMs,
        };
        Assert.Equal(expected, seen);
        Assert.Equal(7, seen.Values.Distinct().Count());

        void See(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            if (tags[0].Value is "tests" && tags[1].Value is "Foo")
            {
                seen.Add(instrument.Name, value);
            }
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

    private static void AddOnOtherThreads(OperationStatistics statistics, int threads, int runs)
    {
        var all = Enumerable.Range(0, threads).Select(_ => new Thread(() =>
        {
            for (var i = 0; i < runs; i++)
            {
                statistics.Add("Foo", TimeSpan.FromMilliseconds(1));
            }
        })).ToList();
        all.ForEach(static thread => thread.Start());
        all.ForEach(static thread => thread.Join());
    }
}
