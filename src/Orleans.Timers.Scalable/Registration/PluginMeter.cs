using System.Diagnostics.Metrics;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>What the instruments of all parts of the plugin have in common.</summary>
internal static class PluginMeter
{
    internal const string Name = "Orleans.Timers.Scalable";

    /// <summary>In seconds. Calls within a silo take microseconds, timeouts tens of seconds.</summary>
    private static readonly double[] s_boundaries =
        [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

    private static readonly Meter s_ownMeter = new(Name);

    internal static Meter Create(IMeterFactory? meters) => meters?.Create(new MeterOptions(Name)) ?? s_ownMeter;

    /// <summary>Creates a histogram of durations in seconds.</summary>
    internal static Histogram<double> CreateDurations(
        this Meter meter, string name, string description, double[]? boundaries = null) =>
        meter.CreateHistogram(
            name,
            "s",
            description,
            tags: null,
            new InstrumentAdvice<double> { HistogramBucketBoundaries = boundaries ?? s_boundaries });

    /// <summary>The tag that tells silos of one process apart.</summary>
    /// <param name="name">The silo's name, or "client".</param>
    internal static KeyValuePair<string, object?> Silo(string? name) => new("silo", name);
}
