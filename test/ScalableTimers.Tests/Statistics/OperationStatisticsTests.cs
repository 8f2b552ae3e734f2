using System.Diagnostics.Metrics;
using System.Reflection;
using ScalableTimers.Statistics;
using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Statistics;

public partial class OperationStatisticsTests
{
    private enum Phase
    {
        Lock,
        Commit = 7,
    }

    private static FieldInfo OfThisThread =>
        typeof(OperationStatistics).GetField("s_all", BindingFlags.Static | BindingFlags.NonPublic)!;

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
        Assert.Equal(
            ("Foo", 4L, 100.0, 76.0, 1.0, 25.0),
            (row.Operation, row.Count, row.TotalTimeMs, row.MaxTimeMs, row.MinTimeMs, row.MeanTimeMs));
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
        var durations = Enumerable.Range(0, 20_000)
            .Select(_ => TimeSpan.FromTicks(random.NextInt64(1L << random.Next(1, 40))))
            .ToList();
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
    public void Register_FirstEnum_RegistersAllItsValues()
    {
        using var statistics = new OperationStatistics();
        statistics.Register(Phase.Commit);

        Assert.Equal(["Lock", "Commit"], statistics.Snapshot().Select(static row => row.Operation));
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
        Assert.Equal(
            (1L, 4.0, 4.0),
            (statistics.Snapshot()[0].Count, statistics.Snapshot()[0].MinTimeMs, statistics.Snapshot()[0].MaxTimeMs));
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
    public void Add_ThreadsThatEnd_AreLookedForWhenTheirNumberHasDoubled()
    {
        using var statistics = new OperationStatistics();
        using var end = new ManualResetEventSlim();

        AddOneAfterTheOther(statistics, 16);
        Assert.Equal(16, statistics.Threads);
        AddOneAfterTheOther(statistics, 1);
        Assert.Equal(1, statistics.Threads);

        // The first look finds 16 threads that live, so the next look is due at 32.
        statistics.Clear();
        var living = Enumerable.Range(0, 20).Select(_ => AddAndWait(statistics, end)).ToList();
        AddOneAfterTheOther(statistics, 12);
        Assert.Equal(32, statistics.Threads);
        AddOneAfterTheOther(statistics, 1);
        Assert.Equal(21, statistics.Threads);

        // The look found 20 threads. Clearing forgets that number too.
        statistics.Clear();
        AddOneAfterTheOther(statistics, 16);
        Assert.Equal(16, statistics.Threads);
        AddOneAfterTheOther(statistics, 1);
        Assert.Equal(1, statistics.Threads);
        end.Set();
        living.ForEach(static thread => thread.Join());
    }

    [Fact]
    public void Snapshot_ThreadsThatHaveEnded_AreLetGo()
    {
        using var statistics = new OperationStatistics();
        AddOnOtherThreads(statistics, threads: 3, runs: 2);

        Assert.Equal(6, statistics.Snapshot()[0].Count);
        Assert.Equal(0, statistics.Threads);
        Assert.Equal(6, statistics.Snapshot()[0].Count);
    }

    [Fact]
    public void Add_AfterEachClearing_KeepsNoCellsOfEarlierTimes()
    {
        using var statistics = new OperationStatistics();
        var kept = 0;
        var thread = new Thread(() =>
        {
            for (var i = 0; i < 20; i++)
            {
                statistics.Clear();
                statistics.Add("Foo", TimeSpan.Zero);
            }

            kept = ((List<ThreadOperations>)OfThisThread.GetValue(null)!).Count;
        });
        thread.Start();
        thread.Join();

        Assert.Equal(1, kept);
    }

    [Fact]
    public void Add_ManyOperationsInAnyOrder_AreKeptApart()
    {
        using var statistics = new OperationStatistics();
        var operations = Enumerable.Range(0, 40).Select(i => statistics.Register($"{i}")).ToList();
        foreach (var i in (int[])[0, 3, 4, 5, 7, 8, 39, 0])
        {
            statistics.Add(operations[i], TimeSpan.FromMilliseconds(i + 1));
        }

        var expected = Enumerable.Range(0, 40).Select(
            static i => i switch { 0 => 2.0, 3 or 4 or 5 or 7 or 8 or 39 => i + 1, _ => 0 });
        Assert.Equal(expected, statistics.Snapshot().Select(static row => row.TotalTimeMs));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(9)]
    public void Snapshot_ThreadHasAddedOneOfManyOperations_CountsThatOne(int index)
    {
        using var statistics = new OperationStatistics();
        var operations = Enumerable.Range(0, 20).Select(i => statistics.Register($"{i}")).ToList();

        statistics.Add(operations[index], TimeSpan.FromMilliseconds(1));

        Assert.Equal(
            Enumerable.Range(0, 20).Select(i => i == index ? 1L : 0),
            statistics.Snapshot().Select(static row => row.Count));
    }

    [Fact]
    public void Add_AlternatingStatistics_CountsEachInItsOwn()
    {
        using var one = new OperationStatistics();
        using var other = new OperationStatistics();
        for (var i = 0; i < 3; i++)
        {
            one.Add("Foo", TimeSpan.FromMilliseconds(1));
            other.Add("Foo", TimeSpan.FromMilliseconds(2));
        }

        Assert.Equal((3.0, 6.0), (one.Snapshot()[0].TotalTimeMs, other.Snapshot()[0].TotalTimeMs));
        Assert.Equal((1, 1), (one.Threads, other.Threads));
    }

    [Fact]
    public void Add_InvalidArguments_SayWhatIsWrong()
    {
        using var statistics = new OperationStatistics();
        using var others = new OperationStatistics();
        var foreign = others.Register("Foo");

        Assert.Throws<ArgumentOutOfRangeException>("duration", () => statistics.Add("Foo", TimeSpan.FromTicks(-1)));
        Assert.Matches(
            "\"Foo\".+or register an operation here",
            Assert.Throws<ArgumentException>("operation", () => statistics.Add(foreign, TimeSpan.Zero)).Message);
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
            string.Join(
                Environment.NewLine,
                "Operation Count TotalTimeMs MaxTimeMs MinTimeMs",
                "Foo 2 21.5 20 1.5",
                "Bar 1 500 500 500"),
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

    private static void AddOneAfterTheOther(OperationStatistics statistics, int threads)
    {
        for (var i = 0; i < threads; i++)
        {
            AddOnOtherThreads(statistics, threads: 1, runs: 1);
        }
    }

    /// <summary>A thread that has added a duration and lives until it is told to end.</summary>
    private static Thread AddAndWait(OperationStatistics statistics, ManualResetEventSlim end)
    {
        using var added = new ManualResetEventSlim();
        var thread = new Thread(() =>
        {
            statistics.Add("Foo", TimeSpan.Zero);
            added.Set();
            end.Wait();
        });
        thread.Start();
        added.Wait();
        return thread;
    }
}
