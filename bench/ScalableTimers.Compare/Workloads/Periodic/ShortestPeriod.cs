using System.Diagnostics;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>How many of its firings does a 1 ms timer get, and at what cost?</summary>
internal static class ShortestPeriod
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_warmUp = TimeSpan.FromMilliseconds(750);

    internal static Workload Workload { get; } = new(
        "periodic-empty",
        "How often does a timer with a period of one millisecond fire, if its callback only counts? (CPU ns and bytes: "
        + "per firing; threads and memory: at the end, beyond those before)",
        Column.Ideal,
        static scale => Contestants(scale.Of(TimeSpan.FromSeconds(5))))
    {
        HasOwnProcesses = true,
        Rounds = 3,
    };

    private static IReadOnlyList<Contestant> Contestants(TimeSpan duration)
    {
        Contestant Of(string name, Func<TimerCallback, object> start) => new(name, () => Measure(duration, start));
        return
        [
            Of("Timer", static callback => new Timer(callback, null, s_period, s_period)),
            Of("periodic timer, 1 ms resolution", static callback => StartOurs(callback)),
            Of("thread that sleeps 1 ms", StartThread),
        ];
    }

    private static ITimer StartOurs(TimerCallback callback) =>
        new TimerService(new TimerServiceOptions { Resolution = s_period })
            .CreatePeriodicTimer(callback, null, s_period, s_period);

    private static Thread StartThread(TimerCallback callback)
    {
        var thread = new Thread(() =>
        {
            while (true)
            {
                Thread.Sleep(s_period);
                callback(null);
            }
        })
        { IsBackground = true };
        thread.Start();
        return thread;
    }

    // Threads are counted at the end, when there are most of them: the pool keeps an idle thread for a while.
    private static Measurement Measure(TimeSpan duration, Func<TimerCallback, object> start)
    {
        var calls = 0;
        _ = CountThreads();
        GC.Collect();
        Thread.Sleep(100);
        var threads = CountThreads();
        var memory = Environment.WorkingSet;
        var timer = start(_ => Interlocked.Increment(ref calls));
        Thread.Sleep(s_warmUp);
        var callsBefore = Volatile.Read(ref calls);
        var before = Usage.Now();
        Thread.Sleep(duration);
        var after = Usage.Now();
        double done = Volatile.Read(ref calls) - callsBefore;
        var measured = Measurement.OfSeconds(before, after, done);
        measured[Column.Ideal] = 100 * done / (before.WallUntil(after) / s_period);
        measured[Column.Cpu] = (after.Processor - before.Processor).TotalNanoseconds / done;
        measured[Column.Bytes] = (after.Bytes - before.Bytes) / done;
        measured[Column.Threads] = CountThreads() - threads;
        measured[Column.Megabytes] = (Environment.WorkingSet - memory) / 1e6;
        GC.KeepAlive(timer);
        return measured;
    }

    private static int CountThreads()
    {
        using var self = Process.GetCurrentProcess();
        return self.Threads.Count;
    }
}
