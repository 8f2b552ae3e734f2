using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>What does it cost when very many delays end at once, as after a network failure?</summary>
internal sealed class DelaysInOneTick : Workload
{
    internal override string Name => "delays-one-tick";

    internal override string Question =>
        "What does an awaited delay cost in processor time, from its start to what follows it, when 300,000 end "
        + "within one tick, and when does that follow? The last row awaits without delays.";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    // One service for all rounds.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var onDriverThread = OnDriverThread.NewService();
        var volley = new Volley(300_000 / scale.Divisor, TimeSpan.Zero);
        return
        [
            new("Task.Delay", () => volley.Run(ShotTimers.ByTaskDelay)),
            new("Delay", () => volley.Run(ShotTimers.ByDelay(timers))) { Owned = timers },
            new(OnDriverThread.Delay, () => volley.Run(ShotTimers.ByDelay(onDriverThread))) { Owned = onDriverThread },
            new("await alone", () => ShotTimers.AwaitAlone(volley)),
        ];
    }
}
