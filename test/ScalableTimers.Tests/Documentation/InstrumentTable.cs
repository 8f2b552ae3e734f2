using System.Diagnostics.Metrics;

namespace ScalableTimers.Tests.Documentation;

/// <summary>Instruments in docs/metrics.md and in meters, each as one line of text.</summary>
internal sealed class InstrumentTable : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly List<Instrument> _instruments = [];
    private readonly Dictionary<Instrument, string> _tags = [];

    /// <param name="factory">The factory of the meters.</param>
    /// <param name="meter">The name of the meter.</param>
    public InstrumentTable(IMeterFactory factory, string meter)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (ReferenceEquals(instrument.Meter.Scope, factory) && instrument.Meter.Name == meter)
            {
                _instruments.Add(instrument);
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, _, tags, _) => Note(instrument, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, _, tags, _) => Note(instrument, tags));
        _listener.Start();
    }

    /// <summary>The page's rows under the heading of a meter.</summary>
    internal static IEnumerable<string> OfThePage(string meter) =>
        File.ReadLines(Repository.Path("docs", "metrics.md"))
            .SkipWhile(line => line != $"## Meter `{meter}`")
            .Skip(1)
            .TakeWhile(static line => !line.StartsWith("## ", StringComparison.Ordinal))
            .Where(static line => line.StartsWith("| `", StringComparison.Ordinal))
            .Select(static line => line.Trim('|').Replace("`", "", StringComparison.Ordinal).Split('|'))
            .Select(static cells => Row(
                cells[0].Trim(), cells[1].Trim(), cells[2].Trim(), cells[3].Trim().Split(", "), cells[4].Trim()))
            .Order(StringComparer.Ordinal);

    public void Dispose() => _listener.Dispose();

    /// <summary>The rows of the meter's instruments. Those that are not observable must have been used.</summary>
    internal IEnumerable<string> Read()
    {
        _listener.RecordObservableInstruments();
        return _instruments
            .Select(instrument => Row(
                instrument.Name,
                Kind(instrument),
                instrument.Unit,
                _tags.GetValueOrDefault(instrument, "never used").Split(", "),
                instrument.Description))
            .Order(StringComparer.Ordinal);
    }

    private static string Row(string name, string kind, string? unit, string[] tags, string? meaning) =>
        $"{name} | {kind} | {unit} | {string.Join(", ", tags.Order(StringComparer.Ordinal))} | {meaning}";

    private static string Kind(Instrument instrument) => instrument switch
    {
        Counter<long> or ObservableCounter<long> or ObservableCounter<double> => "counter",
        ObservableUpDownCounter<long> => "up-down counter",
        ObservableGauge<double> => "gauge",
        Histogram<double> => "histogram",
        _ => instrument.GetType().Name,
    };

    private void Note(Instrument instrument, ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        _tags[instrument] = string.Join(", ", tags.ToArray().Select(static tag => tag.Key));
}
