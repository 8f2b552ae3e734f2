using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Pending;

/// <summary>The memory of a timer that waits.</summary>
internal sealed class PendingBytes : Workload
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_dueTime = TimeSpan.FromHours(1);

    internal override string Name => "pending-bytes";

    internal override string Question => "How many bytes does a pending timer hold, with 1,000,000 of them?";

    internal override string ComparedBy => "bytes";

    internal override IReadOnlyList<Contestant> Contestants(Scale scale) =>
    [
        new("Timer", () => Measure(scale, static () => new Timer(s_ignore, null, s_dueTime, Timeout.InfiniteTimeSpan), static timer => ((Timer)timer!).Dispose())),
        new("Schedule", () => MeasureService(scale, static timers =>
        {
            _ = timers.Schedule(s_ignore, null, s_dueTime);
            return null;
        })),
        new("Delay", () => MeasureService(scale, static timers =>
        {
#pragma warning disable CA2012 // Nobody awaits it: what is weighed is the delay itself.
            _ = timers.Delay(s_dueTime);
#pragma warning restore CA2012
            return null;
        })),
        new("TimeProvider.CreateTimer", () => MeasureService(scale, static timers => timers.TimeProvider.CreateTimer(s_ignore, null, s_dueTime, Timeout.InfiniteTimeSpan))),
    ];

    private static Measurement MeasureService(Scale scale, Func<TimerService, object?> create)
    {
        using var timers = new TimerService();
        var measurement = Measure(scale, () => create(timers), static _ => { });
        GC.KeepAlive(timers);
        return measurement;
    }

    private static Measurement Measure(Scale scale, Func<object?> create, Action<object?> end)
    {
        var kept = new object?[1_000_000 / scale.Divisor];
        end(create());
        var before = GC.GetTotalMemory(forceFullCollection: true);
        for (var i = 0; i < kept.Length; i++)
        {
            kept[i] = create();
        }

        var bytes = (double)(GC.GetTotalMemory(forceFullCollection: true) - before) / kept.Length;
        Array.ForEach(kept, timer => { if (timer is not null) { end(timer); } });
        return new Measurement { Compared = bytes, Bytes = bytes };
    }
}
