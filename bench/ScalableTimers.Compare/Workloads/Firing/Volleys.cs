using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>What does firing cost, and how punctual is it?</summary>
internal static class Volleys
{
    internal static IEnumerable<Workload> All { get; } =
    [
        WithinASecond("firing", 200_000),
        WithinASecond("firing-2m", 2_000_000) with { Rounds = 3 },
    ];

    private static Workload WithinASecond(string name, int count) => new(
        name,
        $"{count:N0} timers come due over one second. How much processor time does it take to set and fire each, and "
        + "how late is it? Rows named alone have no timers: they call or await, and continue at once.",
        Column.Cpu,
        scale => Contestants(count, scale));

    // One service is used for all rounds, as in a server. A quick run keeps the rate and shortens the time.
    private static IReadOnlyList<Contestant> Contestants(int count, Scale scale)
    {
        var timers = new TimerService();
        var volley = new Volley(scale.Of(count), scale.Of(TimeSpan.FromSeconds(1)));
        return
        [
            new("Timer", () => volley.Run(ShotTimers.ByTimer)),
            new("Schedule", () => volley.Run(ShotTimers.BySchedule(timers))) { Owned = timers },
            new("callback alone", () => ShotTimers.CallAlone(volley)),
            new("Task.Delay", () => volley.Run(ShotTimers.ByTaskDelay)) { Against = "Task.Delay" },
            new("Delay", () => volley.Run(ShotTimers.ByDelay(timers))) { Against = "Task.Delay" },
            new("await alone", () => ShotTimers.AwaitAlone(volley)) { Against = "Task.Delay" },
        ];
    }
}
