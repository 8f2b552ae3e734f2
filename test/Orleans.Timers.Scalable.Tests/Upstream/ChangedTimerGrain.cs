namespace Orleans.Timers.Scalable.Tests.Upstream;

/// <summary>Runs one request at a time, a tick of its timer among them.</summary>
internal sealed class ChangedTimerGrain : Grain, IChangedTimerGrain
{
    private int _ticks;

    public async Task ChangeATimerWhoseTickWaits(TimeSpan dueTime)
    {
        var timer = this.RegisterGrainTimer(
            _ =>
            {
                _ticks++;
                return Task.CompletedTask;
            },
            new GrainTimerCreationOptions(TimeSpan.Zero, Timeout.InfiniteTimeSpan));
        await Task.Delay(TimeSpan.FromSeconds(0.5));
        timer.Change(dueTime, Timeout.InfiniteTimeSpan);
    }

    public Task<int> CountTicks() => Task.FromResult(_ticks);
}
