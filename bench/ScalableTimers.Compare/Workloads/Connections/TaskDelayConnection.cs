namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>A loop around <see cref="Task.Delay(TimeSpan, CancellationToken)"/>.</summary>
/// <remarks>
/// A cancellation does not throw, as with <see cref="TimerService.TryDelay"/>. Otherwise the exception would cost more
/// than everything else.
/// </remarks>
internal sealed class TaskDelayConnection(Renewals renewals) : TokenConnection(renewals)
{
    protected override async Task RunAsync(TimeSpan dueTime, CancellationToken token)
    {
        while (true)
        {
            var delay = Task.Delay(dueTime, token);
            await delay.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (!delay.IsCompletedSuccessfully || !HasRenewed())
            {
                return;
            }

            dueTime = Renewals.Interval;
        }
    }
}
