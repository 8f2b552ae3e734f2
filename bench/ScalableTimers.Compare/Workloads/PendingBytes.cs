using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>How much memory does a pending timer hold?</summary>
internal static class PendingBytes
{
    private static readonly TimeSpan s_dueTime = TimeSpan.FromHours(1);

    internal static Workload Workload { get; } = new(
        "pending-bytes",
        "How much memory does each of 1,000,000 pending timers hold?",
        Column.Bytes,
        Contestants)
    {
        Rounds = 1,
    };

    private static IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var count = scale.Of(1_000_000);
        return
        [
            new("Timer", () => Measurement.OfPending(
                count, static () => new Timer(Loops.Ignore, null, s_dueTime, Timeout.InfiniteTimeSpan))),
            new("Schedule", () => OfService(count, static timers =>
            {
                _ = timers.Schedule(Loops.Ignore, null, s_dueTime);
                return null;
            })),
            new("TimeProvider.CreateTimer", () => OfService(
                count,
                static timers =>
                    timers.TimeProvider.CreateTimer(Loops.Ignore, null, s_dueTime, Timeout.InfiniteTimeSpan))),
            new("Task.Delay", () => OfTaskDelay(count / 10)) { Against = "Task.Delay" },
            new("Delay", () => OfService(count, static timers =>
            {
#pragma warning disable CA2012 // Not awaited, because the delay itself is weighed.
                _ = timers.Delay(s_dueTime);
#pragma warning restore CA2012
                return null;
            })) { Against = "Task.Delay" },
        ];
    }

    // Only a token could end these delays early, and a registration takes memory. So there are few of them, and they
    // run out.
    private static Measurement OfTaskDelay(int count)
    {
        var dueTime = TimeSpan.FromSeconds(2);
        var measured = Measurement.OfPending(count, () => Task.Delay(dueTime));
        Thread.Sleep(dueTime);
        return measured;
    }

    // Each round has a new service, because an entry that was used before takes no more memory.
    private static Measurement OfService(int count, Func<TimerService, object?> create)
    {
        using var timers = new TimerService();
        return Measurement.OfPending(count, () => create(timers));
    }
}
