using System.Diagnostics.Metrics;

namespace Orleans.Timers.Scalable;

/// <summary>
/// The instruments of the transaction phases of a silo or client: how long each took, and how often it took too long.
/// </summary>
internal sealed class TransactionPhaseMetrics
{
    internal const string DurationName = "scalable_timers.transaction.phase.duration";
    internal const string TimeoutsName = "scalable_timers.transaction.phase.timeouts";

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
        var meter = PluginMeter.Create(meters);
        _durations = meter.CreateDurations(DurationName, "How long a phase of a transaction took.");
        _timeouts = meter.CreateCounter<long>(
            TimeoutsName,
            "{timeout}",
            "Phases of transactions that took longer than their bound.");
        _silo = PluginMeter.Silo(silo);
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
