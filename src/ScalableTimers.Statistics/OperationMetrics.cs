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
            "scalable_timers.operation.count",
            static statistics => Measure<long>(statistics, static sum => sum.Count),
            "{operation}",
            "Runs of the operation.");
        instruments.AddCounter(
            "scalable_timers.operation.time",
            static statistics => Measure<double>(statistics, static sum => sum.TotalTime.TotalSeconds),
            "s",
            "The total time of all runs.");
        AddGauge("max", static sum => sum.MaxTime, "The longest run.");
        AddGauge("min", static sum => sum.MinTime, "The shortest run.");
        AddGauge("p50", static sum => sum.Percentile(0.50), "The median run.");
        AddGauge("p99", static sum => sum.Percentile(0.99), "The duration that one run in a hundred exceeds.");

        // An operation whose first run still goes on has no shortest run.
        void AddGauge(string figure, Func<OperationCell, TimeSpan> time, string description) =>
            instruments.AddGauge(
                $"scalable_timers.operation.time.{figure}",
                statistics => Measure<double>(
                    statistics, sum => sum.Count > 0 ? time(sum).TotalSeconds : null),
                "s",
                description);
    }

    private static IEnumerable<Measurement<T>> Measure<T>(
        OperationStatistics statistics, Func<OperationCell, T?> figure)
        where T : struct
    {
        var name = new KeyValuePair<string, object?>("statistics", statistics.Name);
        return
            from measurement in statistics.Read((operation, sum) => figure(sum) is { } value
                ? new Measurement<T>(value, name, new KeyValuePair<string, object?>("operation", operation.Name))
                : (Measurement<T>?)null)
            where measurement is not null
            select measurement.Value;
    }
}
