using System.Diagnostics;
using ScalableTimers.Driving;

namespace ScalableTimers.StressTests.Driving;

/// <summary>The bound of the coarse clock while all processors are busy.</summary>
[Trait("Category", "Stress")]
public class CoarseClockTests
{
    [Fact]
    public void LatestTimestamp_WhileProcessorsAreBusy_IsNotBehindThePreciseClock()
    {
        var coarse = CoarseClock.System;
        Assert.SkipWhen(coarse is null, "This system has no coarse clock that can be bounded.");
        var threads = Environment.ProcessorCount + 1;
        var smallestMargins = new long[threads];
        var lastRoundAt = Stress.LastRoundAt(0.3, 30);
        StressThreads.Run("coarse clock", threads, thread =>
        {
            var smallest = long.MaxValue;
            long precise;
            do
            {
                // In this order a pause between the two readings only adds to the margin.
                precise = Stopwatch.GetTimestamp();
                smallest = Math.Min(smallest, coarse.LatestTimestamp() - precise);
            }
            while (precise < lastRoundAt);

            smallestMargins[thread] = smallest;
        });

        var margin = StressTime.ToMilliseconds(smallestMargins.Min());
        Stress.Log($"coarse clock: step {coarse.Step.TotalMilliseconds:F3} ms, smallest margin {margin:F3} ms");
        if (margin < 0)
        {
            Stress.Fail("coarse clock", $"the precise clock was {-margin} ms past the bound: a timer measured then is early by so much.");
        }
    }
}
