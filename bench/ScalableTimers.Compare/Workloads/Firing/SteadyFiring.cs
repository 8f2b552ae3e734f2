using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>What does a second of steady firing cost, and how punctual is it?</summary>
internal static class SteadyFiring
{
    private const int FiringsPerSecond = 20_000;
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(1000);

    internal static Workload Workload { get; } = new(
        "steady-firing",
        $"{FiringsPerSecond:N0} timers fire in a second, and each sets itself again for 50 to 1,000 ms later. How much "
        + "processor time does that take, and how late are they?",
        Column.CpuPerSecond,
        Contestants)
    {
        Headlines = [("fire 20,000 a second, steadily", "Schedule", Column.CpuPerSecond)],
    };

    // One service is used for all rounds. A quick run has fewer timers with shorter due times, at the same rate.
    private static IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var (shortest, longest) = (scale.Of(s_shortest), scale.Of(s_longest));
        var count = (int)(FiringsPerSecond * ((shortest + longest) / 2).TotalSeconds);
        Contestant Of(string name, Action<Beats.Beat> start) => new(
            name, () => new Beats(shortest, longest).Run(count, scale.Of(TimeSpan.FromSeconds(2)), start));
        return
        [
            Of("Timer", static beat =>
            {
                beat.Timer ??= new Timer(Beats.Beat.Fire, beat, Timeout.Infinite, Timeout.Infinite);
                beat.Timer.Change(beat.NextDueTime(), Timeout.InfiniteTimeSpan);
            }),
            Of("Schedule", BySchedule(timers)) with { Owned = timers },
            Of(
                "Task.Delay",
                static beat => _ = beat.RunAsync(static dueTime => new ValueTask(Task.Delay(dueTime)))) with
            {
                Against = "Task.Delay",
            },
            Of("Delay", ByDelay(timers)) with { Against = "Task.Delay" },
        ];
    }

    private static Action<Beats.Beat> BySchedule(TimerService timers) =>
        beat => timers.Schedule(Beats.Beat.Fire, beat, beat.NextDueTime());

    private static Action<Beats.Beat> ByDelay(TimerService timers) =>
        beat => _ = beat.RunAsync(dueTime => timers.Delay(dueTime));
}
