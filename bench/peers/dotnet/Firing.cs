using System.Diagnostics;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Peer;

/// <summary>
/// The cost of scheduling and firing a timer, and the times of the firings. All timers are scheduled before the first
/// one is due.
/// </summary>
internal static class Firing
{
    internal static Measurement Run(
        Timers timers, int wanted, int wantedSpreadMilliseconds, bool isProcessorPerSecond, Scale scale)
    {
        var count = wanted / scale.Divisor;
        var spreadMilliseconds = wantedSpreadMilliseconds / scale.Divisor;
        using var left = new CountdownEvent(count);
        var shots = Enumerable.Range(0, count).Select(_ => new Shot(left)).ToArray();

        // A linear congruential generator, the same in every program here.
        var random = 1UL;
        GC.Collect();

        var before = Usage.Now();
        var first = Stopwatch.GetTimestamp() + Units(scale.LeadMilliseconds);
        foreach (var shot in shots)
        {
            // Due times are whole milliseconds from now, because some timers accept nothing else.
            random = (random * 6364136223846793005UL) + 1442695040888963407UL;
            var at = first + Units((long)((random >> 33) % (ulong)spreadMilliseconds));
            var now = Stopwatch.GetTimestamp();
            var due = Math.Max(0, (at - now + Units(1) - 1) / Units(1));
            shot.DueAt = now + Units(due);
            shot.Keep = timers.Schedule(Shot.Fire, shot, TimeSpan.FromMilliseconds(due));
        }

        var lead = first - Stopwatch.GetTimestamp();
        if (lead < 0)
        {
            Console.Error.WriteLine($"{timers.Name}: scheduling took longer than the lead");
        }

        var processorBefore = before.Processor;
        if (isProcessorPerSecond)
        {
            // Measure firing alone, from just before the first timer is due.
            Thread.Sleep((int)Math.Max(0, lead / Units(1)));
            processorBefore = Environment.CpuUsage.TotalTime;
        }

        left.Wait();
        var after = Usage.Now();
        if (shots.Any(static shot => shot.FiredAt == 0))
        {
            throw new InvalidOperationException("A timer did not fire.");
        }

        var late = Array.ConvertAll(shots, static shot => (shot.FiredAt - shot.DueAt) * 1000.0 / Stopwatch.Frequency);
        Array.Sort(late);
        var processor = (after.Processor - processorBefore).TotalNanoseconds;
        return new Measurement
        {
            [Column.Cpu] = isProcessorPerSecond ? processor * 1000 / spreadMilliseconds : processor / count,
            [Column.Bytes] = (double)(after.Bytes - before.Bytes) / count,
            [Column.Early] = late.Count(static value => value < 0),
            [Column.LateP50] = late[count / 2],
            [Column.LateP99] = late[(int)(count * 99L / 100)],
            [Column.LateP999] = late[(int)(count * 999L / 1000)],
            [Column.LateMax] = late[^1],
        };
    }

    private static long Units(long milliseconds) => milliseconds * (Stopwatch.Frequency / 1000);

    /// <summary>When a timer was due and when it fired.</summary>
    private sealed class Shot(CountdownEvent left)
    {
        // A timer that fires twice signals once too often, and the countdown throws.
        internal static readonly TimerCallback Fire = static state =>
        {
            var shot = (Shot)state!;
            shot.FiredAt = Stopwatch.GetTimestamp();
            shot._left.Signal();
        };

        private readonly CountdownEvent _left = left;

        internal long DueAt { get; set; }

        internal long FiredAt { get; private set; }

        internal object? Keep { get; set; }
    }
}
