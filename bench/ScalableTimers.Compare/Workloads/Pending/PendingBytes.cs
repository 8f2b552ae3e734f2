using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Pending;

/// <summary>How much memory does a timer hold that waits?</summary>
internal sealed class PendingBytes : Workload
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_dueTime = TimeSpan.FromHours(1);

    internal override string Name => "pending-bytes";

    internal override string Question => "How many bytes does a pending timer hold, with 1,000,000 of them?";

    internal override string ComparedBy => "bytes";

    // There are few rounds, because the figures hardly differ between them. The length is not the reason.
    internal override bool IsSlow => true;

    internal override bool IsWarmedUp => false;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var count = 1_000_000 / scale.Divisor;
        return
        [
            new("Timer", () => Weigh(
                count,
                static () => new Timer(s_ignore, null, s_dueTime, Timeout.InfiniteTimeSpan),
                static timer => ((Timer)timer!).Dispose())),
            new("Task.Delay", () => MeasureTaskDelay(count / 10)),
            new("Schedule", () => MeasureService(count, static timers =>
            {
                _ = timers.Schedule(s_ignore, null, s_dueTime);
                return null;
            })),
            new("Delay", () => MeasureService(count, static timers =>
            {
#pragma warning disable CA2012 // Nobody awaits it: what is weighed is the delay itself.
                _ = timers.Delay(s_dueTime);
#pragma warning restore CA2012
                return null;
            })) { Against = "Task.Delay" },
            new("TimeProvider.CreateTimer", () => MeasureService(
                count,
                static timers => timers.TimeProvider.CreateTimer(s_ignore, null, s_dueTime, Timeout.InfiniteTimeSpan))),
        ];
    }

    // Only a token could end these delays early, and registering with it takes memory. So there are few of them, and
    // they end by themselves.
    private static Measurement MeasureTaskDelay(int count)
    {
        var dueTime = TimeSpan.FromSeconds(1);
        var measurement = Weigh(count, () => Task.Delay(dueTime), static _ => { });
        Thread.Sleep(dueTime);
        return measurement;
    }

    // Each round has a new service, because an entry that was used before takes no more memory.
    private static Measurement MeasureService(int count, Func<TimerService, object?> create)
    {
        using var timers = new TimerService();
        var measurement = Weigh(count, () => create(timers), static _ => { });
        GC.KeepAlive(timers);
        return measurement;
    }

    private static Measurement Weigh(int count, Func<object?> create, Action<object?> end)
    {
        var kept = new object?[count];
        end(create());
        var before = GC.GetTotalMemory(forceFullCollection: true);
        for (var i = 0; i < kept.Length; i++)
        {
            kept[i] = create();
        }

        var bytes = (double)(GC.GetTotalMemory(forceFullCollection: true) - before) / kept.Length;
        Array.ForEach(kept, timer =>
        {
            if (timer is not null)
            {
                end(timer);
            }
        });
        return new Measurement { Compared = bytes, Bytes = bytes };
    }
}
