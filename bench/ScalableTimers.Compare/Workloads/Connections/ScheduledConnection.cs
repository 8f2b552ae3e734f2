namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>A connection with timers of <see cref="TimerService.Schedule"/>.</summary>
internal sealed class ScheduledConnection(Renewals renewals, TimerService timers) : Connection(renewals)
{
    private static readonly TimerCallback s_fire = static connection => ((ScheduledConnection)connection!).Fire();

    private ScheduledTimer _timer;

    protected override void Start(TimeSpan dueTime) => _timer = timers.Schedule(s_fire, this, dueTime);

    protected override void Stop() => _timer.Cancel();

    private void Fire()
    {
        if (HasRenewed())
        {
            Start(Renewals.Interval);
        }
    }
}
