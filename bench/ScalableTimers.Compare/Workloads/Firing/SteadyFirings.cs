using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>What does a second of steady firing cost, and how well is time kept meanwhile?</summary>
internal sealed class SteadyFirings : Workload
{
    private const int FiringsPerSecond = 20_000;

    internal override string Name => "steady-firing";

    internal override string Question =>
        "What does a second cost in processor time in which 20,000 timers fire, each of which starts itself again "
        + "with a due time of 50 to 1,000 ms, and when do they fire?";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    // One service is used for all rounds. A quick run has fewer timers with shorter due times, so that the rate is the
    // same.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var onDriverThread = OnDriverThread.NewService();
        var dueTimes = new DueTimes(shortest: 50 / scale.Divisor, longest: 1000 / scale.Divisor);
        var count = (int)(FiringsPerSecond * dueTimes.Mean.TotalSeconds);
        var duration = TimeSpan.FromSeconds(2.5) / scale.Divisor;
        Measurement Run(Func<Beats, Beat> create) => new Beats(dueTimes).Run(count, duration, create);
        return
        [
            new("Timer", () => Run(static beats => new TimerBeat(beats))),
            new(
                "Task.Delay",
                () =>
                    Run(static beats => new AwaitedBeat(beats, static dueTime => new ValueTask(Task.Delay(dueTime))))),
            new("Schedule", () => Run(beats => new ScheduledBeat(beats, timers))) { Owned = timers },
            new("Delay", () => Run(beats => new AwaitedBeat(beats, dueTime => timers.Delay(dueTime))))
            {
                Against = "Task.Delay",
            },
            new(OnDriverThread.Schedule, () => Run(beats => new ScheduledBeat(beats, onDriverThread)))
            {
                Owned = onDriverThread,
            },
            new(
                OnDriverThread.Delay,
                () => Run(beats => new AwaitedBeat(beats, dueTime => onDriverThread.Delay(dueTime))))
            {
                Against = "Task.Delay",
            },
        ];
    }
}
