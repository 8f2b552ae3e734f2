using System.Collections;
using System.Runtime.CompilerServices;
using ScalableTimers.Statistics;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Statistics;

/// <summary>What is added, by whom, and what it costs.</summary>
public class OperationStatisticsTests
{
    private enum Phase
    {
        Lock,
        Commit = 7,
    }

    [Fact]
    public void Add_SomeRuns_AreSummarizedUntilTheyAreCleared()
    {
        using var statistics = new OperationStatistics();
        var foo = statistics.Register("Foo");
        foreach (var milliseconds in new[] { 1, 20, 3, 76 })
        {
            statistics.Add(foo, Milliseconds(milliseconds));
        }

        var row = Assert.Single(statistics.GetSnapshot());
        Assert.Equal(
            ("Foo", 4L, Milliseconds(100), Milliseconds(76), Milliseconds(1), Milliseconds(25)),
            (row.Operation, row.Count, row.TotalTime, row.MaxTime, row.MinTime, row.MeanTime));
        statistics.Clear();
        Assert.Equal(TimeSpan.Zero, Assert.Single(statistics.GetSnapshot()).MeanTime);
        Assert.DoesNotContain("Foo", statistics.ToString(), StringComparison.Ordinal);
    }

    // A sum that wraps is negative, both in a thread's cell and in the sum over threads.
    [Theory]
    [InlineData(1, 2)]
    [InlineData(2, 1)]
    public void Add_MoreThanATimeSpanHolds_TotalStaysAtItsMaximum(int threads, int runs)
    {
        using var statistics = new OperationStatistics();
        AddOnOtherThreads(statistics, threads, runs, TimeSpan.MaxValue);
        statistics.Add("Foo", TimeSpan.FromTicks(1));

        var row = Assert.Single(statistics.GetSnapshot());
        Assert.Equal((3L, TimeSpan.MaxValue), (row.Count, row.TotalTime));
    }

    [Fact]
    public void ToString_SomeOperations_IsATable()
    {
        var clock = new ManualTimeProvider();
        using var statistics = new OperationStatistics(clock: clock);
        var foo = statistics.Register("Foo");
        statistics.Add(foo, TimeSpan.FromMilliseconds(1));
        statistics.Add(foo, TimeSpan.FromMilliseconds(20));
        using (statistics.Measure("Bar"))
        {
            clock.Advance(TimeSpan.FromMilliseconds(500));
        }

        Assert.Equal(
            string.Join(
                Environment.NewLine,
                "Operation Count TotalTimeMs MaxTimeMs MinTimeMs",
                "Foo 2 21 20 1",
                "Bar 1 500 500 500"),
            statistics.ToString());
    }

    [Fact]
    public void Add_ByNameEnumOrOperation_CountsTogether()
    {
        using var statistics = new OperationStatistics();
        statistics.Add("Lock", Milliseconds(1));
        statistics.Add(Phase.Lock, Milliseconds(2));
        statistics.Add(statistics.Register("Lock"), Milliseconds(3));

        Assert.Equal((3L, Milliseconds(6)), (statistics.GetSnapshot()[0].Count, statistics.GetSnapshot()[0].TotalTime));
    }

    [Fact]
    public void Add_EnumValues_AreNamedAsInTheirEnum()
    {
        using var statistics = new OperationStatistics();
        statistics.Add(Phase.Commit, TimeSpan.Zero);
        statistics.Add((Phase)99, TimeSpan.Zero);
        statistics.Measure(DayOfWeek.Monday).Dispose();

        Assert.Equal(["Commit", "99", "Monday"], statistics.GetSnapshot().Select(static row => row.Operation));
    }

    [Fact]
    public void Measure_Disposed_AddsTheTimeInBetween()
    {
        var clock = new ManualTimeProvider();
        using var statistics = new OperationStatistics(clock: clock);
        var operation = statistics.Register("Lock");
        using (statistics.Measure(operation))
        using (statistics.Measure("Lock"))
        using (statistics.Measure(Phase.Lock))
        {
            clock.Advance(Milliseconds(2));
        }

        var row = statistics.GetSnapshot()[0];
        Assert.Equal((3L, Milliseconds(2), Milliseconds(2)), (row.Count, row.MinTime, row.MaxTime));
        default(OperationMeasurement).Dispose();
    }

    // A negative duration is refused where it is added.
    [Fact]
    public void Measure_TheClockWentBack_AddsNoTime()
    {
        var clock = new HandClock();
        clock.Skip(TimeSpan.FromSeconds(1));
        using var statistics = new OperationStatistics(clock: clock);
        var measurement = statistics.Measure("Foo");
        clock.Skip(TimeSpan.FromSeconds(-1));

        measurement.Dispose();

        var row = Assert.Single(statistics.GetSnapshot());
        Assert.Equal((1L, TimeSpan.Zero), (row.Count, row.TotalTime));
    }

    [Fact]
    public void Add_ThreadsEnd_RunsAreKeptInBoundedSpace()
    {
        // Seen to fail when the cells of ended threads are dropped without adding them up.
        using var statistics = new OperationStatistics();
        for (var i = 1; i <= 20; i++)
        {
            AddOnOtherThreads(statistics, threads: 10, runs: 7, Milliseconds(1));
            if (i % 5 == 0)
            {
                Assert.Equal(i * 70, statistics.GetSnapshot()[0].Count);
            }

            Assert.InRange(statistics.Threads, 0, 32);
        }
    }

    [Fact]
    public void Add_AfterEachClearing_KeepsNoCellsOfEarlierTimes()
    {
        using var statistics = new OperationStatistics();
        var kept = 0;
        Wait.ForThread(() =>
        {
            for (var i = 0; i < 20; i++)
            {
                statistics.Clear();
                statistics.Add("Foo", TimeSpan.Zero);
            }

            kept = ((ICollection)Services.StaticField(typeof(OperationStatistics), "s_all")!).Count;
        });

        Assert.Equal(1, kept);
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
        Assert.Equal(0, statistics.GetSnapshot()[0].Count);
    }

    [Fact]
    public void Add_SteadyState_AllocatesNothing()
    {
        using var statistics = new OperationStatistics();
        var operation = statistics.Register("Lock");

        Assert.Equal(0, Allocations.Least(() =>
        {
            statistics.Add(operation, Milliseconds(1));
            statistics.Add("Lock", Milliseconds(1));
            statistics.Add(Phase.Commit, Milliseconds(1));
            statistics.Measure(operation).Dispose();
            statistics.Measure(DayOfWeek.Monday).Dispose();
        }));
    }

    [Fact]
    public void Statistics_NoLongerUsed_ThreadsDoNotKeepThemAlive()
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

    [Fact]
    public void Histogram_AnyDuration_BucketMiddleIsWithinASixteenth()
    {
        var random = new Random(1);
        var durations = Enumerable.Range(0, 5_000).Select(static i => (long)i)
            .Concat(Enumerable.Range(0, 5_000).Select(_ => random.NextInt64() >> random.Next(63)))
            .Concat(Enumerable.Range(3, 60).Select(static power => (1L << power) - 1))
            .Append(long.MaxValue);
        foreach (var duration in durations)
        {
            var index = DurationHistogram.IndexOf(duration);
            Assert.InRange(index, 0, DurationHistogram.Length - 1);
            Assert.InRange(Math.Abs(DurationHistogram.MiddleOf(index) - duration), 0, duration / 16.0);
        }
    }

    private static TimeSpan Milliseconds(double milliseconds) => TimeSpan.FromMilliseconds(milliseconds);

    private static void AddOnOtherThreads(
        OperationStatistics statistics, int threads, int runs, TimeSpan duration) =>
        Wait.ForThreads(threads, _ =>
        {
            for (var i = 0; i < runs; i++)
            {
                statistics.Add("Foo", duration);
            }
        });
}
