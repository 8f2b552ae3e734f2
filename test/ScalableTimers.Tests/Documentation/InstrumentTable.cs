using System.Diagnostics.Metrics;
using ScalableTimers.Tests.Metrics;

namespace ScalableTimers.Tests.Documentation;

/// <summary>Instruments in docs/metrics.md and in meters, each as one line of text.</summary>
internal static class InstrumentTable
{
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

    /// <summary>The rows of a listener's instruments. Those that are not observable must have been used.</summary>
    internal static IEnumerable<string> Of(RecordingListener listener)
    {
        listener.Observe();
        var tags = listener.Measurements.ToLookup(static one => one.Instrument, static one => one.Tags);
        return listener.Instruments
            .Select(instrument => Row(
                instrument.Name,
                Kind(instrument),
                instrument.Unit,
                tags[instrument.Name].LastOrDefault()?.Select(static tag => tag.Key) ?? ["never used"],
                instrument.Description))
            .Order(StringComparer.Ordinal);
    }

    private static string Row(string name, string kind, string? unit, IEnumerable<string> tags, string? meaning) =>
        $"{name} | {kind} | {unit} | {string.Join(", ", tags.Order(StringComparer.Ordinal))} | {meaning}";

    private static string Kind(Instrument instrument) => instrument switch
    {
        Counter<long> or ObservableCounter<long> or ObservableCounter<double> => "counter",
        ObservableUpDownCounter<long> => "up-down counter",
        ObservableGauge<double> => "gauge",
        Histogram<double> => "histogram",
        _ => instrument.GetType().Name,
    };
}
