using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads.Firing;

namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>What does it cost when very many timers do fire, within a second?</summary>
internal sealed class TimersThatFire(int count, string name) : Workload
{
    private static readonly TimeSpan s_spread = TimeSpan.FromSeconds(1);

    internal override string Name => name;

    internal override string Question =>
        $"What does a timer cost in processor time, and how late is it, when {count:N0} fire spread over a second?";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    internal override bool CountsLockWaits => true;

    // One service for all rounds.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var queue = new GlobalLockQueue();
        var volley = new Volley(count, s_spread);
        return
        [
            new("Timer", () => volley.Run(ShotTimers.ByTimer)),
            new(
                "one lock, one list",
                () => volley.Run((shot, dueTime) => shot.Keep = queue.StartWithHandle(Shot.Fire, shot, dueTime)))
            {
                Owned = queue,
            },
            new("Task.Delay", () => volley.Run(ShotTimers.ByTaskDelay)),
            new("Schedule", () => volley.Run(ShotTimers.BySchedule(timers)))
            {
                Owned = timers,
                HasCountedLocks = false,
            },
            new("Delay", () => volley.Run(ShotTimers.ByDelay(timers)))
            {
                Against = "Task.Delay",
                HasCountedLocks = false,
            },
            new("TimeProvider", () => volley.Run((shot, dueTime) =>
                shot.Keep = timers.TimeProvider.CreateTimer(Shot.Fire, shot, dueTime, Timeout.InfiniteTimeSpan)))
            {
                HasCountedLocks = false,
            },
        ];
    }
}
