using System.Diagnostics.Metrics;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers.Metrics;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>What a silo or client has done about deadlines; published by the meter "Orleans.Timers.Scalable".</summary>
internal sealed class DeadlineCounts : IDisposable
{
    internal const string Refused = "scalable_timers.deadlines.refused";
    internal const string Ignored = "scalable_timers.deadlines.ignored";
    internal const string Side = "side";

    private static readonly KeyValuePair<string, object?> s_caller = new(Side, "caller");
    private static readonly KeyValuePair<string, object?> s_callee = new(Side, "callee");

    private readonly KeyValuePair<string, object?> _silo;
    private readonly Publication<DeadlineCounts> _publication;
    private long _refusedAsCaller;
    private long _refusedAsCallee;
    private long _ignored;

    /// <param name="silo">The value of the tag <c>silo</c>.</param>
    /// <param name="factory">Creates the meter; null for one that all without a factory share.</param>
    public DeadlineCounts(string silo, IMeterFactory? factory = null)
    {
        _silo = PluginMeter.Silo(silo);
        _publication = new Publication<DeadlineCounts>(this, PluginMeter.Create(factory), Make);
    }

    /// <summary>Calls that were not sent.</summary>
    internal long RefusedAsCaller => Interlocked.Read(ref _refusedAsCaller);

    /// <summary>Requests that were not run.</summary>
    internal long RefusedAsCallee => Interlocked.Read(ref _refusedAsCallee);

    /// <summary>Requests that ran as if they had no deadline, because their header was not valid.</summary>
    internal long IgnoredHeaders => Interlocked.Read(ref _ignored);

    public void Dispose() => _publication.Dispose();

    internal void CountRefusedAsCaller() => Interlocked.Increment(ref _refusedAsCaller);

    internal void CountRefusedAsCallee() => Interlocked.Increment(ref _refusedAsCallee);

    internal void CountIgnored() => Interlocked.Increment(ref _ignored);

    private static void Make(MeterInstruments<DeadlineCounts> instruments)
    {
        instruments.AddCounter(
            Refused,
            static counts => new[]
            {
                new Measurement<long>(counts.RefusedAsCaller, s_caller, counts._silo),
                new Measurement<long>(counts.RefusedAsCallee, s_callee, counts._silo),
            },
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
