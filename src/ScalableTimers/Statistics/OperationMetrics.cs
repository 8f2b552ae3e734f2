using System.Diagnostics.Metrics;
using ScalableTimers.Metrics;

namespace ScalableTimers.Statistics;

/// <summary>Publishes the figures of operations. The figures are read when a listener asks for them.</summary>
internal static class OperationMetrics
{
    internal const string MeterName = "ScalableTimers.Operations";

    private static readonly Meter s_ownMeter = new(MeterName);

    internal static Publication<OperationStatistics> Publish(OperationStatistics statistics, IMeterFactory? factory) =>
        new(statistics, factory?.Create(new MeterOptions(MeterName)) ?? s_ownMeter, Make);

    private static void Make(MeterInstruments<OperationStatistics> instruments)
    {
        instruments.AddCounter(
            "operation.count",
            static statistics => Measure(statistics, static row => row.Count),
            "{operation}",
            "Runs of the operation.");
        instruments.AddCounter(
            "operation.time",
            static statistics => Measure(statistics, static row => row.TotalTime.TotalMilliseconds),
            "ms",
            "The total time of all runs.");
        instruments.AddGauge(
            "operation.time.max",
            static statistics => Measure(statistics, static row => row.MaxTime.TotalMilliseconds),
            "ms",
            "The longest run.");
        instruments.AddGauge(
            "operation.time.min",
            static statistics => Measure(statistics, static row => row.MinTime.TotalMilliseconds),
            "ms",
            "The shortest run.");
        instruments.AddGauge(
            "operation.time.mean",
            static statistics => Measure(statistics, static row => row.MeanTime.TotalMilliseconds),
            "ms",
            "The mean run.");
        instruments.AddGauge(
            "operation.time.p50",
            static statistics => Measure(statistics, static row => row.P50Time.TotalMilliseconds),
            "ms",
            "The median run.");
        instruments.AddGauge(
            "operation.time.p99",
            static statistics => Measure(statistics, static row => row.P99Time.TotalMilliseconds),
            "ms",
            "The duration that one run in a hundred exceeds.");
    }

    private static IEnumerable<Measurement<T>> Measure<T>(
        OperationStatistics statistics, Func<OperationSummary, T> figure)
        where T : struct
    {
        var name = new KeyValuePair<string, object?>("statistics", statistics.Name);
        return statistics.Snapshot().Select(
            row =>
                new Measurement<T>(figure(row), name, new KeyValuePair<string, object?>("operation", row.Operation)));
    }
}
