namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>A connection with one of .NET's timers.</summary>
internal sealed class TimerConnection(Renewals renewals) : Connection(renewals)
{
    private static readonly TimerCallback s_fire = static connection => ((TimerConnection)connection!).Fire();

    private Timer? _timer;

    protected override void Start(TimeSpan dueTime) =>
        _timer = new Timer(s_fire, this, dueTime, Timeout.InfiniteTimeSpan);

    protected override void Stop() => _timer!.Dispose();

    private void Fire()
    {
        if (HasRenewed())
        {
            _timer!.Change(Renewals.Interval, Timeout.InfiniteTimeSpan);
        }
    }
}
