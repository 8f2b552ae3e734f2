using System.Diagnostics;
using System.Text.Json;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>A run of one periodic timer in a process of its own, so that its threads and memory are its own.</summary>
/// <remarks>
/// The child's console is a pipe that the parent reads. Its last line is the measurement. The child has time to warm
/// up. Threads are counted at the end, when there are most of them, because the pool keeps an idle thread for 20
/// seconds.
/// </remarks>
internal static class PeriodicChild
{
    private const string Argument = "--periodic-child";
    private static readonly TimeSpan s_warmUp = TimeSpan.FromMilliseconds(750);

    /// <summary>Starts a child and waits for its measurement.</summary>
    internal static Measurement Run(PeriodicKind kind, CallbackKind callback, TimeSpan duration) =>
        ToMeasurement(JsonSerializer.Deserialize<PeriodicRun>(
            ChildProcess.Run([Argument, kind.ToString(), callback.ToString(), $"{duration.TotalMilliseconds:0}"]))!);

    /// <summary>Runs the work of a child process.</summary>
    /// <returns>False if this process is not one.</returns>
    internal static bool TryRun(string[] arguments)
    {
        if (arguments is not [Argument, var kind, var callback, var milliseconds])
        {
            return false;
        }

        var run = Measure(
            Enum.Parse<PeriodicKind>(kind),
            new PeriodicCallback(Enum.Parse<CallbackKind>(callback)),
            TimeSpan.FromMilliseconds(int.Parse(milliseconds, System.Globalization.CultureInfo.InvariantCulture)));

        // The callbacks continue, so nothing may be written after this.
        lock (Console.Out)
        {
            Console.Out.WriteLine(JsonSerializer.Serialize(run));
            Console.Out.Flush();
            Environment.Exit(0);
        }

        return true;
    }

    private static PeriodicRun Measure(PeriodicKind kind, PeriodicCallback callback, TimeSpan duration)
    {
        _ = CountThreads();
        GC.Collect();
        Thread.Sleep(100);
        var threads = CountThreads();
        var memory = Environment.WorkingSet;
        var source = PeriodicSource.Start(kind, callback);
        Thread.Sleep(s_warmUp);

        // Allocated bytes are read with a precision of 8 KB for each thread. For an exact value the runtime would stop
        // all threads. With a timer of a millisecond that took 40 seconds now and then.
        var calls = callback.Calls;
        var processor = Environment.CpuUsage.TotalTime;
        var bytes = GC.GetTotalAllocatedBytes();
        var start = Stopwatch.GetTimestamp();
        Thread.Sleep(duration);
        var milliseconds = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        var run = new PeriodicRun
        {
            Calls = callback.Calls - calls,
            Milliseconds = milliseconds,
            CpuMilliseconds = (Environment.CpuUsage.TotalTime - processor).TotalMilliseconds,
            Bytes = GC.GetTotalAllocatedBytes() - bytes,
            MemoryGrowth = Environment.WorkingSet - memory,
            ThreadGrowth = CountThreads() - threads,
        };
        GC.KeepAlive(source);
        return run;
    }

    private static int CountThreads()
    {
        using var self = Process.GetCurrentProcess();
        return self.Threads.Count;
    }

    private static Measurement ToMeasurement(PeriodicRun run)
    {
        var ideal = run.Milliseconds / PeriodicSource.PeriodMilliseconds;
        return new Measurement
        {
            Compared = ideal / run.Calls,
            PercentOfIdeal = 100 * run.Calls / ideal,
            PerSecond = 1000 * run.Calls / run.Milliseconds,
            CpuNanoseconds = run.CpuMilliseconds * 1e6 / run.Calls,
            CpuMillisecondsPerSecond = 1000 * run.CpuMilliseconds / run.Milliseconds,
            Bytes = (double)run.Bytes / run.Calls,
            MoreThreads = run.ThreadGrowth,
            MoreMegabytes = run.MemoryGrowth / 1e6,
        };
    }
}
