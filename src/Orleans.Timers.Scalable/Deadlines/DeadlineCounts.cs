using System.Diagnostics.Metrics;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>Counts refused calls and ignored deadlines.</summary>
/// <param name="meters">Creates the meter.</param>
/// <param name="silo">The value of the tag <c>silo</c>.</param>
internal sealed class DeadlineCounts(IMeterFactory? meters, string silo)
{
    internal const string RefusedName = "scalable_timers.deadlines.refused";
    internal const string IgnoredName = "scalable_timers.deadlines.ignored";
    internal const string Side = "side";

    internal const string Caller = "caller";
    internal const string Callee = "callee";

    private readonly Counter<long> _refused = PluginMeter.Create(meters).CreateCounter<long>(
        RefusedName,
        "{call}",
        "Calls that were refused because their budget was spent: not sent by their caller, or not run by "
            + "their callee.");

    private readonly Counter<long> _ignored = PluginMeter.Create(meters).CreateCounter<long>(
        IgnoredName,
        "{call}",
        "Calls whose deadline was ignored, because it was of another type, negative or too long.");

    internal void CountRefused(string side, string interfaceName, string methodName) => _refused.Add(
        1, new(Side, side), new("interface", interfaceName), new("method", methodName), PluginMeter.Silo(silo));

    internal void CountIgnored() => _ignored.Add(1, PluginMeter.Silo(silo));
}
