namespace Orleans.Timers.Scalable.Tests.Upstream;

public interface IChangedTimerGrain : IGrainWithGuidKey
{
    /// <summary>Changes a timer while its tick waits for the end of this call.</summary>
    Task ChangeATimerWhoseTickWaits(TimeSpan dueTime);

    Task<int> CountTicks();
}
