using System.Diagnostics.Metrics;
using System.Text.Json;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Transactions.Phases;

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

    /// <param name="meters">Creates the meter; null for one that all without a factory share.</param>
    /// <param name="silo">The value of the tag <c>silo</c>.</param>
    public TransactionPhaseMetrics(IMeterFactory? meters, string silo)
    {
        var meter = PluginMeter.Create(meters);
        _durations = meter.CreateDurations(DurationName, "How long a phase of a transaction took.");
        _timeouts = meter.CreateCounter<long>(
            TimeoutsName,
            "{timeout}",
            "Phases of transactions that took longer than their bound.");
        _silo = PluginMeter.Silo(silo);
        _phases =
        [
            .. Enum.GetNames<TransactionPhase>().Select(static name =>
                KeyValuePair.Create("phase", (object?)JsonNamingPolicy.SnakeCaseLower.ConvertName(name))),
        ];
    }

    internal void Took(TransactionPhase phase, TimeSpan duration) =>
        _durations.Record(duration.TotalSeconds, _phases[(int)phase], _silo);

    internal void TimedOut(TransactionPhase phase) => _timeouts.Add(1, _phases[(int)phase], _silo);
}
