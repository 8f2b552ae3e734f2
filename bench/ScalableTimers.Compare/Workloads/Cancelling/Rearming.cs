using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>What does it cost to move a timer to another time, as an idle timeout does at each message?</summary>
internal sealed class Rearming : Workload
{
    internal override string Name => "re-arm";

    internal override string Question =>
        "What does it cost to give a pending timer another due time, on 2 threads with a timer each?";

    internal override string ComparedBy => "wall time";

    // One service for all rounds.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        Contestant Compared(string name, Func<Action<int>> loop) =>
            new(name, () => ThreadLoops.Run(threads: 2, 5_000_000 / scale.Divisor, loop));
        return
        [
            Compared("Timer.Change", static () => Change(TimeProvider.System)),
            Compared("Reschedule", () => Reschedule(timers)) with { Owned = timers },
            Compared("ITimer.Change, TimeProvider", () => Change(timers.TimeProvider)),
        ];
    }

    // The system's ITimer is the class behind Timer.
    private static Action<int> Change(TimeProvider clock)
    {
        var timer = clock.CreateTimer(Timeouts.Ignore, null, Timeouts.DueTime, Timeout.InfiniteTimeSpan);
        return times =>
        {
            for (var i = 0; i < times; i++)
            {
                timer.Change(DueTime(i), Timeout.InfiniteTimeSpan);
            }
        };
    }

    private static Action<int> Reschedule(TimerService timers)
    {
        var timer = timers.Schedule(Timeouts.Ignore, null, Timeouts.DueTime);
        return times =>
        {
            for (var i = 0; i < times; i++)
            {
                timer.Reschedule(DueTime(i));
            }
        };
    }

    private static TimeSpan DueTime(int i) => new(Timeouts.DueTime.Ticks + ((i & 63) * TimeSpan.TicksPerMillisecond));
}
