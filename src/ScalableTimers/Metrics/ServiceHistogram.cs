using System.Diagnostics.Metrics;
using ScalableTimers.Firing;

namespace ScalableTimers.Metrics;

/// <summary>A histogram of a meter, to which one service adds durations with its name.</summary>
/// <remarks>
/// The meter's histograms are created by the first service that has the meter. A second one may come before they exist.
/// </remarks>
internal sealed class ServiceHistogram(MeterInstruments<TimerService> instruments, string instrument, string service)
    : IDurationHistogram
{
    private readonly KeyValuePair<string, object?> _tag = new(TimerMetrics.Tag, service);
    private Histogram<double>? _histogram;

    public bool IsWanted => (_histogram ??= instruments.FindHistogram(instrument)) is { Enabled: true };

    public void Record(double seconds) => _histogram?.Record(seconds, _tag);
}
