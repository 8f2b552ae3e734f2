using Orleans.Concurrency;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Like <see cref="IScriptedGrain"/>, but for one request at a time, and with calls of other kinds.</summary>
public interface IDeadlineProbeGrain : IScriptedGrain
{
    [OneWay]
    Task RunOneWay(Guid script);

    [ResponseTimeout("00:00:07")]
    Task RunWithAResponseTimeout(Guid script);
}

[PreferLocalPlacement]
internal sealed class DeadlineProbeGrain(IGrainDelay delay) : ScriptableGrain(delay), IDeadlineProbeGrain
{
    public Task RunOneWay(Guid script) => Scripts.Run(script, this);

    public Task RunWithAResponseTimeout(Guid script) => Scripts.Run(script, this);
}
