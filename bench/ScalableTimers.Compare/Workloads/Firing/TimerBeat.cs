namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>A beat by .NET's <see cref="Timer"/>.</summary>
internal sealed class TimerBeat : Beat
{
    private readonly Timer _timer;

    internal TimerBeat(Beats beats)
        : base(beats) =>
        _timer = new Timer(Fire, this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

    internal override void Start(TimeSpan dueTime) => _timer.Change(dueTime, Timeout.InfiniteTimeSpan);
}
