using System.Diagnostics.Metrics;
using System.Text.Json;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Counts how often the phases of transactions exceeded their bounds.</summary>
internal sealed class TransactionPhaseMetrics
{
    internal const string TimeoutsName = "scalable_timers.transaction.phase.timeouts";

    private readonly Counter<long> _timeouts;
    private readonly KeyValuePair<string, object?> _silo;
    private readonly KeyValuePair<string, object?>[] _phases;

    /// <param name="meters">Creates the meter.</param>
    /// <param name="silo">The value of the tag <c>silo</c>.</param>
    public TransactionPhaseMetrics(IMeterFactory? meters, string silo)
    {
        _timeouts = PluginMeter.Create(meters).CreateCounter<long>(
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

    internal void TimedOut(TransactionPhase phase) => _timeouts.Add(1, _phases[(int)phase], _silo);
}
