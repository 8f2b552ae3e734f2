using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>What does it cost to fire, and how well is time kept?</summary>
internal sealed class SpreadOverSecond(int count, string name) : Workload
{
    internal override string Name => name;

    internal override string Question =>
        $"What does it cost in processor time to schedule and fire a timer, with {count:N0} due over one second, and "
        + "when do they fire? The last rows have no timers: everything is called or awaited, and continued at once.";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    // One service is used for all rounds, as in a server. A quick run keeps the rate and shortens the time.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var onDriverThread = OnDriverThread.NewService();
        var volley = new Volley(count / scale.Divisor, TimeSpan.FromSeconds(1) / scale.Divisor);
        return
        [
            new("Timer", () => volley.Run(ShotTimers.ByTimer)),
            new("CancellationTokenSource", () => volley.Run(ShotTimers.BySource)),
            new("Task.Delay", () => volley.Run(ShotTimers.ByTaskDelay)),
            new("Schedule", () => volley.Run(ShotTimers.BySchedule(timers))) { Owned = timers },
            new("Delay", () => volley.Run(ShotTimers.ByDelay(timers))) { Against = "Task.Delay" },
            new(OnDriverThread.Schedule, () => volley.Run(ShotTimers.BySchedule(onDriverThread)))
            {
                Owned = onDriverThread,
            },
            new(OnDriverThread.Delay, () => volley.Run(ShotTimers.ByDelay(onDriverThread))) { Against = "Task.Delay" },
            new("callback alone", () => ShotTimers.CallAlone(volley)),
            new("await alone", () => ShotTimers.AwaitAlone(volley)) { Against = "Task.Delay" },
        ];
    }
}
