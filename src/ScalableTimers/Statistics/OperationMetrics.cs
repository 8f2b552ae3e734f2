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
            static statistics => Measure(statistics, static sum => sum.Count),
            "{operation}",
            "Runs of the operation.");
        instruments.AddCounter(
            "operation.time",
            static statistics => Measure(statistics, static sum => sum.TotalTime.TotalMilliseconds),
            "ms",
            "The total time of all runs.");
        instruments.AddGauge(
            "operation.time.max",
            static statistics => Measure(statistics, static sum => sum.MaxTime.TotalMilliseconds),
            "ms",
            "The longest run.");
        instruments.AddGauge(
            "operation.time.min",
            static statistics => Measure(statistics, static sum => sum.MinTime.TotalMilliseconds),
            "ms",
            "The shortest run.");
        instruments.AddGauge(
            "operation.time.mean",
            static statistics => Measure(statistics, static sum => sum.TotalTime.TotalMilliseconds / Math.Max(sum.Count, 1)),
            "ms",
            "The mean run.");
        instruments.AddGauge(
            "operation.time.p50",
            static statistics => Measure(statistics, static sum => sum.Percentile(0.50).TotalMilliseconds),
            "ms",
            "The median run.");
        instruments.AddGauge(
            "operation.time.p99",
            static statistics => Measure(statistics, static sum => sum.Percentile(0.99).TotalMilliseconds),
            "ms",
            "The duration that one run in a hundred exceeds.");
    }

    private static List<Measurement<T>> Measure<T>(OperationStatistics statistics, Func<OperationCell, T> figure)
        where T : struct
    {
        var name = new KeyValuePair<string, object?>("statistics", statistics.Name);
        return statistics.Read((operation, sum) =>
            new Measurement<T>(figure(sum), name, new KeyValuePair<string, object?>("operation", operation.Name)));
    }
}
