namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>A beat that is a loop around an awaited delay.</summary>
internal sealed class AwaitedBeat(Beats beats, Func<TimeSpan, ValueTask> delay) : Beat(beats)
{
    internal override void Start(TimeSpan dueTime) => _ = RunAsync(dueTime);

    private async Task RunAsync(TimeSpan dueTime)
    {
        await delay(dueTime).ConfigureAwait(false);
        while (HasFired())
        {
            await delay(NextDueTime()).ConfigureAwait(false);
        }
    }
}
