using System.Diagnostics.Metrics;

namespace ScalableTimers.Statistics;

/// <summary>Publishes the figures of operations; they are taken when a listener asks.</summary>
internal sealed class OperationMetrics : IDisposable
{
    internal const string MeterName = "ScalableTimers.Operations";

    private readonly OperationStatistics _statistics;
    private readonly KeyValuePair<string, object?> _name;
    private readonly Meter _meter;
    private readonly bool _isOwned;

    internal OperationMetrics(OperationStatistics statistics, string name, IMeterFactory? factory)
    {
        _statistics = statistics;
        _name = new KeyValuePair<string, object?>("statistics", name);
        _isOwned = factory is null;
        _meter = factory?.Create(new MeterOptions(MeterName)) ?? new Meter(MeterName);
        _meter.CreateObservableCounter("operation.count", () => Measure(static row => row.Count), "{operation}", "Runs of the operation.");
        _meter.CreateObservableCounter("operation.time", () => Measure(static row => row.TotalTimeMs), "ms", "What all runs took together.");
        _meter.CreateObservableGauge("operation.time.max", () => Measure(static row => row.MaxTimeMs), "ms", "The longest run.");
        _meter.CreateObservableGauge("operation.time.min", () => Measure(static row => row.MinTimeMs), "ms", "The shortest run.");
        _meter.CreateObservableGauge("operation.time.mean", () => Measure(static row => row.MeanTimeMs), "ms", "The mean run.");
        _meter.CreateObservableGauge("operation.time.p50", () => Measure(static row => row.P50TimeMs), "ms", "The median run.");
        _meter.CreateObservableGauge("operation.time.p99", () => Measure(static row => row.P99TimeMs), "ms", "What one run in a hundred exceeds.");
    }

    public void Dispose()
    {
        // A factory owns the meters that it makes.
        if (_isOwned)
        {
            _meter.Dispose();
        }
    }

    private IEnumerable<Measurement<T>> Measure<T>(Func<OperationSummary, T> figure)
        where T : struct =>
        _statistics.Snapshot().Select(row => new Measurement<T>(figure(row), _name, new KeyValuePair<string, object?>("operation", row.Operation)));
}
