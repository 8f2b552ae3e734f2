using System.Diagnostics;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>How far firings were from their due times.</summary>
internal static class Lateness
{
    /// <param name="measurement">The other measured values.</param>
    /// <param name="lateness">In timestamp units, negative for those that were early; sorted here.</param>
    internal static Measurement AddTo(Measurement measurement, long[] lateness)
    {
        Array.Sort(lateness);
        double Milliseconds(double fraction) =>
            lateness[(int)((lateness.Length - 1) * fraction)] * 1000.0 / Stopwatch.Frequency;
        return measurement with
        {
            Early = lateness.Count(static late => late < 0),
            EarliestMilliseconds = Math.Max(0, -Milliseconds(0)),
            LateP50 = Milliseconds(0.5),
            LateP99 = Milliseconds(0.99),
            LateP999 = Milliseconds(0.999),
            LateMax = Milliseconds(1),
        };
    }
}
