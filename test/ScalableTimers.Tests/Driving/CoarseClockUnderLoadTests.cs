using System.Diagnostics;
using System.Reflection;
using ScalableTimers.Driving;

namespace ScalableTimers.Tests.Driving;

[Collection(nameof(Alone))]
public class CoarseClockUnderLoadTests
{
    // Finds in some runs only what it looks for: the first version of Measure, which believed every reading, was more than the
    // millisecond short in 1 to 20 of 100 measurements under such a load on 2 cores.
    [Fact]
    public void Measure_UnderLoad_BoundsTheSameDistance()
    {
        // More threads than cores, as at the start of a server: the one that measures is interrupted again and again.
        var distances = new List<long>();
        using var stop = new CancellationTokenSource();
        var load = Enumerable.Range(0, Environment.ProcessorCount).Select(_ => new TestThread(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                Thread.SpinWait(1_000);
            }
        })).ToList();
        load.ForEach(static thread => thread.Start());
        for (var i = 0; i < 60; i++)
        {
            if (typeof(CoarseClock).GetMethod("Measure", BindingFlags.Static | BindingFlags.NonPublic)!.Invoke(null, null) is { } clock)
            {
                distances.Add((long)Services.Field(clock, "_largestDistance")!);
            }
        }

        stop.Cancel();
        load.ForEach(Wait.ForEnd);

        // Each has a margin of a millisecond, so none may lie further below the usual one. One above it has met with a stall of the
        // kernel's, and is on the safe side. On a machine with too much other work hardly any is taken, and none is usual.
        Assert.SkipWhen(distances.Count < 15, $"Only {distances.Count} of 60 measurements were undisturbed.");
        distances.Sort();
        var millisecond = Stopwatch.Frequency / 1_000;
        Assert.True(
            distances[0] >= distances[distances.Count / 2] - millisecond,
            $"The smallest of {distances.Count} bounds is {(distances[distances.Count / 2] - distances[0]) / (double)millisecond} ms below the usual one.");
    }
}
