using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers.Metrics;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>Counts refused calls and ignored deadlines; published by the meter "Orleans.Timers.Scalable".</summary>
internal sealed class DeadlineCounts : IDisposable
{
    internal const string Refused = "scalable_timers.deadlines.refused";
    internal const string Ignored = "scalable_timers.deadlines.ignored";
    internal const string Side = "side";

    internal const string Caller = "caller";
    internal const string Callee = "callee";

    private readonly KeyValuePair<string, object?> _silo;
    private readonly Publication<DeadlineCounts> _publication;

    // Bounded: Orleans compiles the types of requests from interfaces, so only methods of those occur here.
    private readonly ConcurrentDictionary<(string Side, string Interface, string Method), StrongBox<long>> _refused =
        new();

    private long _ignored;

    /// <param name="silo">The value of the tag <c>silo</c>.</param>
    /// <param name="factory">Creates the meter; null for the shared one.</param>
    public DeadlineCounts(string silo, IMeterFactory? factory = null)
    {
        _silo = PluginMeter.Silo(silo);
        _publication = new Publication<DeadlineCounts>(this, PluginMeter.Create(factory), Make);
    }

    /// <summary>Requests that ran without a deadline, because their header was invalid.</summary>
    internal long IgnoredHeaders => Interlocked.Read(ref _ignored);

    public void Dispose() => _publication.Dispose();

    /// <summary>Calls that callers have not sent, or requests that callees have not run.</summary>
    internal long RefusedBy(string side) => _refused
        .Where(refused => refused.Key.Side == side)
        .Sum(static refused => Interlocked.Read(ref refused.Value.Value));

    internal void CountRefused(string side, string interfaceName, string methodName) => Interlocked.Increment(
        ref _refused.GetOrAdd((side, interfaceName, methodName), static _ => new StrongBox<long>()).Value);

    internal void CountIgnored() => Interlocked.Increment(ref _ignored);

    private static void Make(MeterInstruments<DeadlineCounts> instruments)
    {
        instruments.AddCounter(
            Refused,
            static counts => counts._refused.Select(refused => new Measurement<long>(
                Interlocked.Read(ref refused.Value.Value),
                new(Side, refused.Key.Side),
                new("interface", refused.Key.Interface),
                new("method", refused.Key.Method),
                counts._silo)),
            "{call}",
            "Calls that were refused because their budget was spent: not sent by their caller, or not run by "
                + "their callee.");
        instruments.AddCounter(
            Ignored,
            static counts => new[] { new Measurement<long>(counts.IgnoredHeaders, counts._silo) },
            "{call}",
            "Calls whose deadline was ignored, because it was of another type, negative or too long.");
    }
}
