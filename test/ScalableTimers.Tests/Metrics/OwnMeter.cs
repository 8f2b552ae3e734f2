using System.Diagnostics.Metrics;

namespace ScalableTimers.Tests.Metrics;

/// <summary>A factory of one meter.</summary>
internal sealed class OwnMeter : IMeterFactory
{
    internal Meter Meter { get; } = new("ScalableTimers");

    public Meter Create(MeterOptions options) => Meter;

    public void Dispose() => Meter.Dispose();
}
