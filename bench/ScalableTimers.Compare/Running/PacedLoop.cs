using System.Diagnostics;

namespace ScalableTimers.Compare.Running;

/// <summary>
/// Repeats an operation at a pace on one thread: a burst each millisecond, and sleep or other work between.
/// </summary>
/// <remarks>
/// Only the bursts are timed. So what is measured is what a call costs in a server, whose caches and branch predictors
/// hold other things when it comes, and not what it costs in a loop that does nothing else. Each burst includes one
/// reading of the clock; the contestant that does nothing tells how much that is.
/// </remarks>
internal static class PacedLoop
{
    private const int WarmUpCalls = 300;

    /// <param name="perSecond">Operations a second, at least 1,000.</param>
    /// <param name="duration">How long to go on.</param>
    /// <param name="walk">What is done before each burst.</param>
    /// <param name="loop">Runs the given number of operations.</param>
    internal static Measurement Run(int perSecond, TimeSpan duration, CacheWalk walk, Action<int> loop)
    {
        Measurement? measurement = null;
        var thread = new Thread(() => measurement = RunHere(perSecond, duration, walk, loop));
        thread.Start();
        thread.Join();
        return measurement!;
    }

    private static Measurement RunHere(int perSecond, TimeSpan duration, CacheWalk walk, Action<int> loop)
    {
        for (var i = 0; i < WarmUpCalls; i++)
        {
            loop(perSecond / 1000);
        }

        long busy = 0, operations = 0;
        var bytes = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) is var elapsed && elapsed < duration)
        {
            // Sleeping takes longer than a millisecond, so the burst makes up for what is due.
            var burst = (int)(elapsed.TotalSeconds * perSecond) - (int)operations;
            _ = walk.Run();
            var begun = Stopwatch.GetTimestamp();
            loop(burst);
            busy += Stopwatch.GetTimestamp() - begun;
            operations += burst;
            Thread.Sleep(1);
        }

        var nanoseconds = Stopwatch.GetElapsedTime(0, busy).TotalNanoseconds / operations;
        return new Measurement
        {
            Compared = nanoseconds,
            WallNanoseconds = nanoseconds,
            Bytes = (double)(GC.GetAllocatedBytesForCurrentThread() - bytes) / operations,
        };
    }
}
