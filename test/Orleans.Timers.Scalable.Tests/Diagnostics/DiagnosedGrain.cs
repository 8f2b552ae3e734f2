using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

[PreferLocalPlacement]
internal sealed class DiagnosedGrain(IGrainDelay delay) : ScriptableGrain(delay), IDiagnosedGrain
{
    public Task RunInTime(Guid script) => Scripts.Run(script, this);

    public Task RunLong(Guid script) => Scripts.Run(script, this);

    public Task<int> Echo(int value) => Task.FromResult(value);
}
