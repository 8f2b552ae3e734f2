using System.Diagnostics;
using System.Reflection;
using ScalableTimers.Driving;

namespace ScalableTimers.Tests.Driving;

[Collection(nameof(Alone))]
public class CoarseClockUnderLoadTests
{
    [Fact]
    public void Measure_UnderLoad_BoundsTheSameDistance()
    {
        // More threads than cores, as at the start of a server: whoever measures is interrupted again and again.
        var distances = new List<long>();
        using var stop = new CancellationTokenSource();
        var load = Enumerable.Range(0, 2 * Environment.ProcessorCount).Select(_ => new TestThread(() =>
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

        // Each has a margin of a millisecond. Without it, none may have seen a larger distance than another allows for.
        var millisecond = Stopwatch.Frequency / 1_000;
        Assert.True(distances.Count == 0 || distances.Max() - millisecond <= distances.Min(), $"Bounds differ by {(distances.Max() - distances.Min()) / (double)millisecond} ms, of {distances.Count}.");
    }
}
