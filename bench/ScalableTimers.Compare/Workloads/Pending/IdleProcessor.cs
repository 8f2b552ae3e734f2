using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Pending;

/// <summary>What pending timers cost while nothing is due.</summary>
internal sealed class IdleProcessor : Workload
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_dueTime = TimeSpan.FromHours(1);

    internal override string Name => "idle-processor";

    internal override string Question => "How much processor time does a second cost with 1,000,000 timers pending and nothing due? (CPU ns is per second; the first row is the process without timers)";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale) =>
    [
        new("no timers", () => Measure(scale, static () => new object(), static _ => { })),
        new("Timer", () => Measure(scale, static () => new Timer(s_ignore, null, s_dueTime, Timeout.InfiniteTimeSpan), static timer => ((Timer)timer).Dispose())),
        new("Schedule", () =>
        {
            using var timers = new TimerService();
            return Measure(scale, () => timers.Schedule(s_ignore, null, s_dueTime), static _ => { });
        }),
    ];

    private static Measurement Measure(Scale scale, Func<object> create, Action<object> end)
    {
        var timers = new object[1_000_000];
        for (var i = 0; i < timers.Length; i++)
        {
            timers[i] = create();
        }

        GC.Collect();
        Thread.Sleep(200);
        var before = Usage.Now();
        Thread.Sleep(5000 / scale.Divisor);
        var after = Usage.Now();
        Array.ForEach(timers, timer => end(timer));
        var processor = (after.Processor - before.Processor) / before.WallUntil(after);
        return new Measurement { Compared = processor, CpuNanoseconds = processor * 1e9 };
    }
}
