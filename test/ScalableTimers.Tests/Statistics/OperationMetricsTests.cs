using System.Diagnostics.Metrics;

namespace ScalableTimers.Tests.Statistics;

public class OperationMetricsTests
{
    private const string MeterName = "ScalableTimers.Operations";

    [Fact]
    public void New_Instruments_StateNameUnitAndMeaning()
    {
        using var factory = new RememberingFactory();
        using var statistics = new OperationStatistics("tests", factory);

        Assert.Equal(
            [
                ("operation.count", "{operation}", "Runs of the operation."),
                ("operation.time", "ms", "The total time of all runs."),
                ("operation.time.max", "ms", "The longest run."),
                ("operation.time.min", "ms", "The shortest run."),
                ("operation.time.mean", "ms", "The mean run."),
                ("operation.time.p50", "ms", "The median run."),
                ("operation.time.p99", "ms", "The duration that one run in a hundred exceeds."),
            ],
            Instruments(factory.Meter!));
    }

    [Fact]
    public void New_WithoutAName_PublishesNothing()
    {
        using var factory = new RememberingFactory();
        using var statistics = new OperationStatistics(name: null, factory);

        Assert.Null(factory.Meter);
    }

    [Fact]
    public void Measure_AnyInstrument_NamesStatisticsAndOperation()
    {
        using var factory = new RememberingFactory();
        using var statistics = new OperationStatistics("tests", factory);
        statistics.Add("Foo", TimeSpan.FromMilliseconds(1));

        Assert.Equal(["statistics=tests operation=Foo"], Tags(factory.Meter!).Distinct());
    }

    [Fact]
    public void Dispose_MeterOfAFactory_StaysTheFactorys()
    {
        using var factory = new RememberingFactory();
        new OperationStatistics("tests", factory).Dispose();

        Assert.Equal(MeterName, factory.Meter!.Name);
        Assert.Equal(7, Instruments(factory.Meter).Count);
    }

    [Fact]
    public void Dispose_MeterOfItsOwn_EndsPublication()
    {
        var statistics = new OperationStatistics("the only ones of this name");
        statistics.Add("Foo", TimeSpan.FromMilliseconds(1));
        Assert.Equal(7, Published());

        statistics.Dispose();

        Assert.Equal(0, Published());

        static int Published() =>
            Tags(null).Count(static tags => tags == "statistics=the only ones of this name operation=Foo");
    }

    private static List<(string Name, string? Unit, string? Description)> Instruments(Meter meter)
    {
        var seen = new List<(string Name, string? Unit, string? Description)>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (ReferenceEquals(instrument.Meter, meter))
                {
                    seen.Add((instrument.Name, instrument.Unit, instrument.Description));
                }
            },
        };
        listener.Start();
        return seen;
    }

    /// <summary>The tags of what a meter measures, or of what all meters of the statistics' name do.</summary>
    private static List<string> Tags(Meter? meter)
    {
        var seen = new List<string>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (meter is null ? instrument.Meter.Name == MeterName : ReferenceEquals(instrument.Meter, meter))
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, _, tags, _) => See(tags));
        listener.SetMeasurementEventCallback<double>((_, _, tags, _) => See(tags));
        listener.Start();
        listener.RecordObservableInstruments();
        return seen;

        void See(ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
            seen.Add(string.Join(' ', tags.ToArray().Select(static tag => $"{tag.Key}={tag.Value}")));
    }

    private sealed class RememberingFactory : IMeterFactory
    {
        internal Meter? Meter { get; private set; }

        public Meter Create(MeterOptions options) => Meter = new Meter(options);

        public void Dispose() => Meter?.Dispose();
    }
}
