using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers.Tests.Metrics;

namespace ScalableTimers.Tests.Statistics;

/// <summary>The figures of named statistics, as a listener sees them.</summary>
public class OperationMetricsTests
{
    [Fact]
    public void Listen_NamedStatistics_HasTheirFigures()
    {
        using var container = new ServiceCollection().AddMetrics().BuildServiceProvider();
        using var statistics = new OperationStatistics("tests", container.GetRequiredService<IMeterFactory>());
        for (var i = 1; i <= 100; i++)
        {
            statistics.Add("Foo", TimeSpan.FromMilliseconds(i * i));
        }

        var row = Assert.Single(statistics.GetSnapshot());
        var expected = new Dictionary<string, double>
        {
            ["scalable_timers.operation.count"] = row.Count,
            ["scalable_timers.operation.time"] = row.TotalTime.TotalSeconds,
            ["scalable_timers.operation.time.max"] = row.MaxTime.TotalSeconds,
            ["scalable_timers.operation.time.min"] = row.MinTime.TotalSeconds,
            ["scalable_timers.operation.time.p50"] = row.P50Time.TotalSeconds,
            ["scalable_timers.operation.time.p99"] = row.P99Time.TotalSeconds,
        };
        Assert.Equal(expected, Published("tests"));
        Assert.Equal(6, expected.Values.Distinct().Count());
    }

    /// <summary>Seen to fail with all instruments: a dashboard drew a shortest run of zero.</summary>
    [Fact]
    public void Listen_OperationWhoseFirstRunGoesOn_HasCountersOnly()
    {
        using var container = new ServiceCollection().AddMetrics().BuildServiceProvider();
        using var statistics = new OperationStatistics("begun", container.GetRequiredService<IMeterFactory>());

        using (statistics.Measure("Foo"))
        {
            Assert.Equal(
                ["scalable_timers.operation.count", "scalable_timers.operation.time"],
                Published("begun").Keys.Order());
        }

        Assert.Equal(6, Published("begun").Count);
    }

    // With a cell for each operation and instrument, this took 28 MB.
    [Fact]
    public void Read_ManyOperations_AllocatesLittleMoreThanTheMeasurements()
    {
        using var container = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var factory = container.GetRequiredService<IMeterFactory>();
        using var statistics = new OperationStatistics("many", factory);
        AddAll();
        Wait.ForThread(AddAll);
        var measurements = 0;
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (ReferenceEquals(instrument.Meter.Scope, factory))
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, _, _, _) => measurements++);
        listener.SetMeasurementEventCallback<double>((_, _, _, _) => measurements++);
        listener.Start();
        listener.RecordObservableInstruments();
        var measurementsOfOne = measurements;

        var before = GC.GetAllocatedBytesForCurrentThread();
        listener.RecordObservableInstruments();
        var bytes = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.Equal(2 * measurementsOfOne, measurements);
        Assert.InRange(bytes / measurementsOfOne, 1, 128);

        void AddAll()
        {
            for (var i = 0; i < 500; i++)
            {
                statistics.Add($"operation {i}", TimeSpan.FromMilliseconds(i));
            }
        }
    }

    [Fact]
    public void Instruments_HaveAUnitAndTheTagsOfTheirOperation()
    {
        using var container = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var factory = container.GetRequiredService<IMeterFactory>();
        using var statistics = new OperationStatistics("tests", factory);
        statistics.Add("Foo", TimeSpan.FromMilliseconds(1));
        var units = new List<string?>();
        using var listener = new RecordingListener(instrument =>
        {
            var isOurs = ReferenceEquals(instrument.Meter.Scope, factory);
            units.AddRange(isOurs ? [instrument.Unit] : []);
            return isOurs;
        });
        listener.Observe();

        Assert.Equal(["s", "s", "s", "s", "s", "{operation}"], units.Order(StringComparer.Ordinal));
        Assert.All(
            listener.Measurements,
            static one => Assert.Equal([new("statistics", "tests"), new("operation", "Foo")], one.Tags));
    }

    private static Dictionary<string, double> Published(string name)
    {
        using var listener = new RecordingListener(
            static instrument => instrument.Meter.Name == "ScalableTimers.Operations");
        listener.Observe();
        return listener.Measurements
            .Where(one => one.Tags[0].Value as string == name && one.Tags[1].Value is "Foo")
            .ToDictionary(static one => one.Instrument, static one => one.Value);
    }
}
