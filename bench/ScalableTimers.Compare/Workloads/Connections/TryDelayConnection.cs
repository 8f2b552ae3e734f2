namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>A loop around <see cref="TimerService.TryDelay"/>.</summary>
internal sealed class TryDelayConnection(Renewals renewals, TimerService timers) : TokenConnection(renewals)
{
    protected override async Task RunAsync(TimeSpan dueTime, CancellationToken token)
    {
        while (await timers.TryDelay(dueTime, token).ConfigureAwait(false) && HasRenewed())
        {
            dueTime = Renewals.Interval;
        }
    }
}
