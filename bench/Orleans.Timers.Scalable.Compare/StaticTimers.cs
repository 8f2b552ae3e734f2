using System.Diagnostics;
using System.Reflection;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>What do Orleans' static timers cost, and how late are they, unmodified and served by us?</summary>
internal static class StaticTimers
{
    private static readonly TimeSpan s_settle = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan s_stretch = TimeSpan.FromSeconds(8);
    private static readonly TimeSpan s_far = TimeSpan.FromMinutes(30);

    private static readonly Func<TimeSpan, CancellationToken, Task<bool>> s_delay = typeof(BatchWorker).Assembly
        .GetType("Orleans.Timers.Internal.TimerManager", throwOnError: true)!
        .GetMethod("Delay", BindingFlags.Static | BindingFlags.Public)!
        .CreateDelegate<Func<TimeSpan, CancellationToken, Task<bool>>>();

    internal static Workload Idle { get; } = new(
        "static-timers-idle",
        "How much processor time does an idle silo take while static timers are pending? The rows with 0 are a silo "
        + "that does nothing.",
        Column.CpuPerSecond,
        static scale => Cluster.Rows(
            "served", "pending", [0, 200_000], (configure, pending) => MeasureIdle(configure, pending, scale)))
    {
        HasOwnProcesses = true,
        Rounds = 4,
    };

    internal static Workload Lateness { get; } = new(
        "static-timers",
        "How late are 1,000 static timers of 20 to 220 ms, in 50 loops? Lateness counts from the due time; early "
        + "timers are counted apart.",
        Column.LateP50,
        static _ =>
        [
            new("Orleans alone", static () => MeasureLateness(Cluster.Stock)),
            new("served", static () => MeasureLateness(Cluster.Scalable)),
        ])
    {
        HasOwnProcesses = true,
        Rounds = 2,
    };

    // The silo ends with its process.
    private static void StartSilo(Action<ISiloBuilder> configure)
    {
        _ = new Cluster(silos: 1, configure);

        // Orleans starts checking its timers when the first one is created.
        _ = s_delay(TimeSpan.FromMilliseconds(1), CancellationToken.None);
        Thread.Sleep(s_settle);
    }

    private static Measurement MeasureIdle(Action<ISiloBuilder> configure, int pending, Scale scale)
    {
        StartSilo(configure);
        for (var i = 0; i < pending; i++)
        {
            _ = s_delay(s_far, CancellationToken.None);
        }

        Thread.Sleep(s_settle);
        return Measurement.OfIdleness(scale.Of(s_stretch));
    }

    private static Measurement MeasureLateness(Action<ISiloBuilder> configure)
    {
        StartSilo(configure);
        var late = Task.WhenAll(Enumerable.Range(0, 50).Select(static async user =>
        {
            var all = new long[20];
            for (var i = 0; i < all.Length; i++)
            {
                var dueTime = TimeSpan.FromMilliseconds(20 + (((user * 31) + (i * 17)) % 200));
                var start = Stopwatch.GetTimestamp();
                await s_delay(dueTime, CancellationToken.None);
                all[i] = Stopwatch.GetTimestamp() - start - (long)(dueTime.TotalSeconds * Stopwatch.Frequency);
            }

            return all;
        })).GetAwaiter().GetResult();
        return ScalableTimers.Compare.Running.Lateness.AddTo(
            new Measurement(), [.. late.SelectMany(static all => all)]);
    }
}
