using System.Diagnostics;

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>Measures a duration and drops it: what the clock alone costs.</summary>
internal readonly struct ClockReader : IAdder
{
    public void Add(int operation, long duration)
    {
        var start = Stopwatch.GetTimestamp();
        if (Stopwatch.GetElapsedTime(start) < TimeSpan.Zero)
        {
            throw new InvalidOperationException("The clock went back.");
        }
    }
}
