using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

[PreferLocalPlacement]
internal sealed class DeadlineProbeGrain(IGrainDelay delay) : ScriptableGrain(delay), IDeadlineProbeGrain
{
    public Task RunOneWay(Guid script) => Scripts.Run(script, this);

    public Task RunWithAResponseTimeout(Guid script) => Scripts.Run(script, this);

    public Task RunInATransaction(Guid script) => Scripts.Run(script, this);

    public async IAsyncEnumerable<TimeSpan?> Enumerate()
    {
        yield return GrainDeadline.Remaining;
        await Task.Yield();
        yield return GrainDeadline.Remaining;
    }
}
