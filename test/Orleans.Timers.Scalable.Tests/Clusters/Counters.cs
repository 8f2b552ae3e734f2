using System.Diagnostics.Metrics;
using ScalableTimers.Tests.Metrics;

namespace Orleans.Timers.Scalable.Tests;

internal static class Counters
{
    /// <summary>Reads an instrument of a factory's meters once, with a given value of a tag or any.</summary>
    internal static List<long> Read(IMeterFactory factory, string name, string? tag = null)
    {
        using var listener = new RecordingListener(
            instrument => instrument.Name == name && ReferenceEquals(instrument.Meter.Scope, factory));
        listener.Observe();
        return
        [
            .. listener.Measurements
                .Where(each => tag is null || each.Tags.Any(one => tag.Equals(one.Value)))
                .Select(static each => (long)each.Value)
                .Order(),
        ];
    }
}
