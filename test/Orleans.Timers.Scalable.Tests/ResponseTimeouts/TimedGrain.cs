using Orleans.Concurrency;

namespace Orleans.Timers.Scalable.Tests;

/// <remarks>Its waits end when its silo stops, so that they hold nothing up.</remarks>
[Reentrant]
internal sealed class TimedGrain(IGrainDelay delay) : Grain, ITimedGrain
{
    public async Task WaitBriefly() => await delay.Delay(Timeout.InfiniteTimeSpan);
}
