using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Two silos in virtual time that measure their grain timers.</summary>
[CollectionDefinition]
public sealed class MeasuredSilos() : VirtualTimeSilo(silos: 2), ICollectionFixture<MeasuredSilos>
{
    protected override void Configure(int number, ISiloBuilder silo)
    {
        base.Configure(number, silo);
        silo.MeasureGrainTimers(static timers => timers.LongestTick = TimeSpan.FromMinutes(10));
    }
}

/// <summary>Keeps what the instruments of grain timers say.</summary>
internal sealed class GrainTimerListener : IDisposable
{
    private readonly ConcurrentQueue<Measured> _all = new();
    private readonly MeterListener _listener = new();

    public GrainTimerListener()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name.StartsWith("scalable_timers.grain_timer.", StringComparison.Ordinal))
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Keep(instrument, value, tags));
        _listener.Start();
    }

    internal IEnumerable<Measured> All => _all;

    public void Dispose() => _listener.Dispose();

    internal double[] Of(string instrument) =>
        [.. All.Where(each => each.Instrument == instrument).Select(static each => each.Value)];

    /// <summary>Calls the grain until so much has been measured in it.</summary>
    internal async Task Until(IScriptedGrain grain, string instrument, int count)
    {
        await Calls().Guarded("the grain's timers are measured");

        // Orleans sets the timer for its next tick in a turn that has been queued when the measuring one is over. It
        // comes before the second of two calls.
        await grain.Activate();
        await grain.Activate();

        async Task Calls()
        {
            while (Of(instrument).Length < count)
            {
                await grain.Activate();
            }
        }
    }

    private void Keep(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var named = tags.ToArray().ToDictionary(static tag => tag.Key, static tag => (string)tag.Value!);
        _all.Enqueue(new Measured(instrument.Name, named["grain_type"], named["silo"], value));
    }

    internal sealed record Measured(string Instrument, string GrainType, string Silo, double Value);
}
