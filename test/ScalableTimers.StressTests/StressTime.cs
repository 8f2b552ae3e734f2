using System.Diagnostics;

namespace ScalableTimers.StressTests;

/// <summary>Arithmetic with <see cref="Stopwatch"/> timestamps.</summary>
internal static class StressTime
{
    /// <summary>The moment after a duration. A timer requested from now on must not fire before it.</summary>
    internal static long In(TimeSpan duration) => Stopwatch.GetTimestamp() + Units(duration);

    internal static bool IsOver(long timestamp) => Stopwatch.GetTimestamp() >= timestamp;

    /// <summary>A duration in timestamp units, rounded up.</summary>
    internal static long Units(TimeSpan duration) =>
        (long)(
            (((Int128)duration.Ticks * Stopwatch.Frequency) + TimeSpan.TicksPerSecond - 1) / TimeSpan.TicksPerSecond);

    internal static double ToMilliseconds(long units) => units * 1000.0 / Stopwatch.Frequency;

    internal static TimeSpan Milliseconds(double value) =>
        TimeSpan.FromTicks((long)(value * TimeSpan.TicksPerMillisecond));

    /// <summary>A duration between zero and a bound, evenly distributed.</summary>
    internal static TimeSpan UpTo(double milliseconds, Random random) =>
        Milliseconds(milliseconds * random.NextDouble());
}
