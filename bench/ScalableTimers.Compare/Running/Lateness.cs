using System.Diagnostics;
using HdrHistogram;
using ScalableTimers.Compare.Reporting;

namespace ScalableTimers.Compare.Running;

/// <summary>How far firings were from their due times.</summary>
internal static class Lateness
{
    private static readonly long s_longest = TimeSpan.FromMinutes(10).Ticks;

    /// <param name="measurement">The other measured values.</param>
    /// <param name="lateness">In units of the clock; negative if early.</param>
    internal static Measurement AddTo(Measurement measurement, IReadOnlyCollection<long> lateness)
    {
        var histogram = new LongHistogram(s_longest, numberOfSignificantValueDigits: 3);
        foreach (var late in lateness)
        {
            histogram.RecordValue(Math.Clamp(Stopwatch.GetElapsedTime(0, late).Ticks, 0, s_longest));
        }

        double Milliseconds(double percentile) =>
            histogram.GetValueAtPercentile(percentile) / (double)TimeSpan.TicksPerMillisecond;
        measurement[Column.Early] = lateness.Count(static late => late < 0);
        measurement[Column.Earliest] =
            -Stopwatch.GetElapsedTime(0, Math.Min(0, lateness.Min())).TotalMilliseconds;
        measurement[Column.LateP50] = Milliseconds(50);
        measurement[Column.LateP99] = Milliseconds(99);
        measurement[Column.LateP999] = Milliseconds(99.9);
        measurement[Column.LateMax] = Milliseconds(100);
        return measurement;
    }
}
