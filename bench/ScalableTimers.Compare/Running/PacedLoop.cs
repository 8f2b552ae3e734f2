using System.Diagnostics;
using System.Runtime.Versioning;

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
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(0.3);

    /// <summary>Measures the time of the operations.</summary>
    /// <param name="perSecond">Operations a second, at least 1,000.</param>
    /// <param name="duration">How long to go on.</param>
    /// <param name="walk">What is done before each burst.</param>
    /// <param name="loop">Runs the given number of operations.</param>
    internal static Measurement Run(int perSecond, TimeSpan duration, CacheWalk walk, Action<int> loop) =>
        OnOwnThread(() =>
        {
            WarmUp(perSecond, walk, loop);
            var bytes = GC.GetAllocatedBytesForCurrentThread();
            var (busy, operations) = RunHere(perSecond, duration, walk, loop);
            var nanoseconds = busy.TotalNanoseconds / operations;
            return new Measurement
            {
                Compared = nanoseconds,
                WallNanoseconds = nanoseconds,
                Bytes = (double)(GC.GetAllocatedBytesForCurrentThread() - bytes) / operations,
            };
        });

    /// <summary>
    /// Measures the time of the operations, and the processor time that they cost other threads: those that fire.
    /// </summary>
    /// <inheritdoc cref="Run"/>
    [SupportedOSPlatform("linux")]
    internal static Measurement RunWithOthers(int perSecond, TimeSpan duration, CacheWalk walk, Action<int> loop) =>
        OnOwnThread(() =>
        {
            WarmUp(perSecond, walk, loop);
            var (before, own) = (Usage.Now(), ThreadProcessorTime.Now());
            var (busy, operations) = RunHere(perSecond, duration, walk, loop);
            own = ThreadProcessorTime.Now() - own;
            var after = Usage.Now();
            var others = after.Processor - before.Processor - own;
            var nanoseconds = (busy + others).TotalNanoseconds / operations;
            return new Measurement
            {
                Compared = nanoseconds,
                CpuNanoseconds = nanoseconds,
                Bytes = (double)(after.Bytes - before.Bytes) / operations,
            };
        });

    private static Measurement OnOwnThread(Func<Measurement> measure)
    {
        Measurement? measurement = null;
        var thread = new Thread(() => measurement = measure());
        thread.Start();
        thread.Join();
        return measurement!;
    }

    // It keeps the pace, so that as many timers are pending afterwards as later on.
    private static void WarmUp(int perSecond, CacheWalk walk, Action<int> loop)
    {
        for (var i = 0; i < WarmUpCalls; i++)
        {
            loop(perSecond / 1000);
        }

        _ = RunHere(perSecond, s_warmUp, walk, loop);
    }

    private static (TimeSpan Busy, long Operations) RunHere(
        int perSecond, TimeSpan duration, CacheWalk walk, Action<int> loop)
    {
        long busy = 0, operations = 0;
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

        return (Stopwatch.GetElapsedTime(0, busy), operations);
    }
}
