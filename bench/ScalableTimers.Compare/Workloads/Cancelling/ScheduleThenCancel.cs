using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>What does a timeout cost that is not needed after all, on two threads?</summary>
internal sealed class ScheduleThenCancel(int pending) : Workload
{
    private const int Threads = 2;

    internal override string Name => pending == 0 ? "schedule-cancel" : "schedule-cancel-1m";

    internal override string Question =>
        $"What does a timeout cost that is cancelled at once, with {pending:N0} others pending? (a pair, on {Threads} "
        + "threads)";

    internal override string ComparedBy => "wall time";

    // One service is used for all rounds, and its pending timers stay pending, as in a server. .NET's timers share
    // .NET's only queue.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var system = PendingTimers.Add(TimeProvider.System, pending);
        for (var i = 0; i < pending; i++)
        {
            timers.Schedule(Timeouts.Ignore, null, PendingTimers.DueTime);
        }

        Contestant Rival(string name, Func<Action<int>> loop) =>
            new(name, () => ThreadLoops.Run(Threads, 2_000_000 / scale.Divisor, loop));
        Contestant Ours(string name, int pairs, Action<int> loop) =>
            new(name, () => ThreadLoops.Run(Threads, pairs / scale.Divisor, () => loop));
        return
        [
            Rival("Timer", static () => Timeouts.OfTimer) with { Owned = system },
            Rival("Task.Delay", static () => Timeouts.OfTaskDelay(TimeProvider.System)),
            Rival("pooled source", Timeouts.OfPooledSource),
            Rival("WaitAsync", static () => Timeouts.OfWaitAsync(TimeProvider.System)),
            Ours("Schedule", 10_000_000, Timeouts.OfSchedule(timers)) with { Owned = timers },
            Ours("TryDelay", 2_000_000, Timeouts.OfTryDelay(timers)) with { Against = "Task.Delay" },
        ];
    }
}
