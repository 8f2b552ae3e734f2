using System.Diagnostics.Metrics;

namespace Orleans.Timers.Scalable;

/// <summary>
/// The instruments of the transaction phases of a silo or client: how long each took, and how often it took too long.
/// </summary>
internal sealed class TransactionPhaseMetrics
{
    internal const string MeterName = "Orleans.Timers.Scalable";
    internal const string DurationName = "scalable_timers.transaction.phase.duration";
    internal const string TimeoutsName = "scalable_timers.transaction.phase.timeouts";

    /// <summary>In seconds. Transactions in memory take milliseconds, the bounds of phases tens of seconds.</summary>
    private static readonly double[] s_boundaries =
        [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

    private readonly Histogram<double> _durations;
    private readonly Counter<long> _timeouts;
    private readonly KeyValuePair<string, object?> _silo;
    private readonly KeyValuePair<string, object?>[] _phases;

    private readonly TransactionPhaseStatistics _statistics;

    /// <param name="meters">Creates the meter.</param>
    /// <param name="silo">The value of the tag <c>silo</c>.</param>
    /// <param name="statistics">Gets the same figures.</param>
    public TransactionPhaseMetrics(IMeterFactory meters, string silo, TransactionPhaseStatistics statistics)
    {
        _statistics = statistics;
        var meter = meters.Create(new MeterOptions(MeterName));
        _durations = meter.CreateHistogram(
            DurationName,
            "s",
            "How long a phase of a transaction took.",
            tags: null,
            new InstrumentAdvice<double> { HistogramBucketBoundaries = s_boundaries });
        _timeouts = meter.CreateCounter<long>(
            TimeoutsName,
            "{timeout}",
            "Phases of transactions that took longer than their bound.");
        _silo = new("silo", silo);
        _phases = [.. TransactionPhaseNames.All.Select(static name => KeyValuePair.Create("phase", (object?)name))];
    }

    internal void Took(TransactionPhase phase, TimeSpan duration)
    {
        _statistics.Took(phase, duration);
        _durations.Record(duration.TotalSeconds, _phases[(int)phase], _silo);
    }

    internal void TimedOut(TransactionPhase phase)
    {
        _statistics.TimedOut(phase);
        _timeouts.Add(1, _phases[(int)phase], _silo);
    }
}
