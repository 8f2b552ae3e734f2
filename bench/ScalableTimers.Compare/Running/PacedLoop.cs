using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.Versioning;

namespace ScalableTimers.Compare.Running;

/// <summary>
/// Repeats an operation at a pace on one thread: a burst each millisecond, and sleep or other work between.
/// </summary>
/// <remarks>
/// <para>
/// Only the bursts are timed. So what is measured is what a call costs in a server, whose caches and branch predictors
/// hold other things when it comes, and not what it costs in a loop that does nothing else.
/// </para>
/// <para>
/// Timing a burst takes time itself, more than a call where that is quick and bursts are short. So every fourth burst
/// is empty, and net figures are without what these take on average. Sleep and work between bursts take longer than a
/// millisecond, so a burst makes up for what is due; the column "bursts a second" says how many there were.
/// </para>
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
            var bursts = RunHere(perSecond, duration, walk, loop);
            return new Measurement
            {
                Compared = bursts.NetNanoseconds,
                WallNanoseconds = bursts.Busy.TotalNanoseconds / bursts.Operations,
                NetNanoseconds = bursts.NetNanoseconds,
                BurstsPerSecond = bursts.Count / duration.TotalSeconds,
                Bytes = (double)(GC.GetAllocatedBytesForCurrentThread() - bytes) / bursts.Operations,
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
            var bursts = RunHere(perSecond, duration, walk, loop);
            own = ThreadProcessorTime.Now() - own;
            var after = Usage.Now();
            var others = (after.Processor - before.Processor - own).TotalNanoseconds / bursts.Operations;
            return new Measurement
            {
                Compared = bursts.NetNanoseconds + others,
                NetNanoseconds = bursts.NetNanoseconds,
                CpuNanoseconds = others,
                BurstsPerSecond = bursts.Count / duration.TotalSeconds,
                Bytes = (double)(after.Bytes - before.Bytes) / bursts.Operations,
            };
        });

    private static Measurement OnOwnThread(Func<Measurement> measure)
    {
        Measurement? measurement = null;
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                measurement = measure();
            }
            catch (Exception exception)
            {
                failure = ExceptionDispatchInfo.Capture(exception);
            }
        });
        thread.Start();
        thread.Join();
        failure?.Throw();
        return measurement!;
    }

    // First as often as compilation needs, then at the pace, so that as many timers are pending as later on.
    private static void WarmUp(int perSecond, CacheWalk walk, Action<int> loop)
    {
        for (var i = 0; i < WarmUpCalls; i++)
        {
            loop(perSecond / 1000);
        }

        _ = RunHere(perSecond, s_warmUp, walk, loop);
    }

    // Compiled once for good: instrumented code would take as long as what it measures.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static Bursts RunHere(int perSecond, TimeSpan duration, CacheWalk walk, Action<int> loop)
    {
        long busy = 0, operations = 0, count = 0, empty = 0, empties = 0;
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) is var elapsed && elapsed < duration)
        {
            var burst = (int)(elapsed.TotalSeconds * perSecond) - (int)operations;
            var isEmpty = (count + empties) % 4 == 3;
            _ = walk.Run();
            var begun = Stopwatch.GetTimestamp();
            loop(isEmpty ? 0 : burst);
            var took = Stopwatch.GetTimestamp() - begun;
            if (isEmpty)
            {
                empty += took;
                empties++;
            }
            else
            {
                busy += took;
                operations += burst;
                count++;
            }

            Thread.Sleep(1);
        }

        return new Bursts(
            Stopwatch.GetElapsedTime(0, busy), operations, count, Stopwatch.GetElapsedTime(0, empty) / empties);
    }

    private readonly record struct Bursts(TimeSpan Busy, long Operations, long Count, TimeSpan Empty)
    {
        internal double NetNanoseconds => (Busy - (Count * Empty)).TotalNanoseconds / Operations;
    }
}
