namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>A beat by <see cref="TimerService.Schedule"/>.</summary>
internal sealed class ScheduledBeat(Beats beats, TimerService timers) : Beat(beats)
{
    private static readonly TimerCallback s_fire = Fire;

    internal override void Start(TimeSpan dueTime) => timers.Schedule(s_fire, this, dueTime);
}
