using System.Diagnostics.Metrics;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>What the instruments of all the plugin's parts share.</summary>
internal static class PluginMeter
{
    internal const string Name = "Orleans.Timers.Scalable";

    private static readonly Meter s_ownMeter = new(Name);

    internal static Meter Create(IMeterFactory? meters) => meters?.Create(new MeterOptions(Name)) ?? s_ownMeter;

    /// <summary>The tag that tells silos of one process apart.</summary>
    /// <param name="name">The silo's name, or "client".</param>
    internal static KeyValuePair<string, object?> Silo(string? name) => new("silo", name);
}
