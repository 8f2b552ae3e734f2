using System.Diagnostics.Metrics;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Counts how often the phases of transactions exceeded their bounds.</summary>
/// <param name="meters">Creates the meter.</param>
/// <param name="silo">The value of the tag <c>silo</c>.</param>
internal sealed class TransactionPhaseMetrics(IMeterFactory? meters, string silo)
{
    internal const string TimeoutsName = "scalable_timers.transaction.phase.timeouts";

    // The phases: a transaction older than its deadline, a wait for a state's lock, and for prepare and commit.
    internal const string Transaction = "transaction";
    internal const string LockAcquisition = "lock_acquisition";
    internal const string Resolve = "resolve";

    private readonly Counter<long> _timeouts = PluginMeter.Create(meters).CreateCounter<long>(
        TimeoutsName, "{timeout}", "Phases of transactions that took longer than their bound.");

    /// <param name="phase">The value of the tag <c>phase</c>.</param>
    internal void TimedOut(string phase) =>
        _timeouts.Add(1, KeyValuePair.Create("phase", (object?)phase), PluginMeter.Silo(silo));
}
