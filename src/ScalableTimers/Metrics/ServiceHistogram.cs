using System.Diagnostics;
using System.Diagnostics.Metrics;
using ScalableTimers.Firing;

namespace ScalableTimers.Metrics;

/// <summary>A histogram of a meter, to which one service adds durations with its tags.</summary>
internal sealed class ServiceHistogram(Histogram<double> histogram, TagList tags) : IDurationHistogram
{
    public bool IsWanted => histogram.Enabled;

    public void Record(double seconds) => histogram.Record(seconds, in tags);
}
