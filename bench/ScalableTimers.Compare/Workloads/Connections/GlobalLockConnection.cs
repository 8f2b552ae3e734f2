using ScalableTimers.Compare.Workloads.Partitioned;

namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>A connection with timers of one lock and one list.</summary>
internal sealed class GlobalLockConnection(Renewals renewals, GlobalLockQueue queue) : Connection(renewals)
{
    private static readonly TimerCallback s_fire = static connection => ((GlobalLockConnection)connection!).Fire();

    private GlobalLockTimerHandle? _timer;

    protected override void Start(TimeSpan dueTime) => _timer = queue.StartWithHandle(s_fire, this, dueTime);

    protected override void Stop() => _timer!.Dispose();

    private void Fire()
    {
        if (HasRenewed())
        {
            _timer!.Change(Renewals.Interval);
        }
    }
}
