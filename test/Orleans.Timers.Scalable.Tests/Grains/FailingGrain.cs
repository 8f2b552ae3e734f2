using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

[PreferLocalPlacement]
internal sealed class FailingGrain : Grain, IFailingGrain
{
    public FailingGrain(IGrainDelay delay) =>
        throw new InvalidOperationException($"A construction that fails on purpose, with {delay} in hand.");

    public Task Activate() => Task.CompletedTask;
}
