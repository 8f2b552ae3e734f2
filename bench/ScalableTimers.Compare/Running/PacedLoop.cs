using System.Diagnostics;
using System.Runtime.CompilerServices;
using ScalableTimers.Compare.Reporting;

namespace ScalableTimers.Compare.Running;

/// <summary>
/// Repeats an operation at a steady pace on one thread: a burst each millisecond, and sleep or work in between.
/// </summary>
/// <remarks>
/// <para>
/// Only the bursts are timed. This measures what a call costs in a server, whose caches and branch predictors hold
/// other things, rather than in a loop that does nothing else.
/// </para>
/// <para>
/// Timing a burst costs time too: more than a quick call, in a short burst. So every fourth burst is empty, and net
/// figures subtract the average of these. Sleep and work between bursts take longer than a millisecond; the next burst
/// catches up.
/// </para>
/// </remarks>
internal static class PacedLoop
{
    private const int WarmUpCalls = 300;
    private const int CacheLine = 64;
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(0.3);

    /// <param name="perSecond">Operations a second, at least 1,000.</param>
    /// <param name="duration">How long to go on.</param>
    /// <param name="megabytes">How much memory to read before each burst, to replace what is in the caches.</param>
    /// <param name="loop">Runs the given number of operations.</param>
    internal static Measurement Run(int perSecond, TimeSpan duration, int megabytes, Action<int> loop)
    {
        // The kernel maps memory that was never written to one page of zeros, so reading it would touch almost nothing.
        var memory = new byte[megabytes * 1024 * 1024];
        Array.Fill(memory, (byte)1);

        // First as often as the JIT needs, then at the pace, so that as many timers are pending as later on.
        for (var i = 0; i < WarmUpCalls; i++)
        {
            loop(perSecond / 1000);
        }

        _ = RunBursts(perSecond, s_warmUp, memory, loop);
        return RunBursts(perSecond, duration, memory, loop);
    }

    // Fully optimised at once: instrumented code would take as long as what it measures.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static Measurement RunBursts(int perSecond, TimeSpan duration, byte[] memory, Action<int> loop)
    {
        long busy = 0, operations = 0, count = 0, empty = 0, empties = 0;
        var bytes = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) is var elapsed && elapsed < duration)
        {
            var burst = (int)(elapsed.TotalSeconds * perSecond) - (int)operations;
            var isEmpty = (count + empties) % 4 == 3;
            _ = Sum(memory);
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

        double Each(double units) => units / Stopwatch.Frequency * 1e9 / operations;
        return new Measurement
        {
            [Column.Wall] = Each(busy),
            [Column.Net] = Each(busy - (count * (double)empty / empties)),
            [Column.Bytes] = (double)(GC.GetAllocatedBytesForCurrentThread() - bytes) / operations,
        };
    }

    // Returns the sum, so that the compiler cannot drop the reads.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Sum(byte[] memory)
    {
        var sum = 0;
        for (var i = 0; i < memory.Length; i += CacheLine)
        {
            sum += memory[i];
        }

        return sum;
    }
}
