using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

[PreferLocalPlacement]
internal sealed class LateGrain : Grain, ILateGrain
{
    internal static ConcurrentDictionary<GrainId, Action<IGrainDelay>> WhenDeactivating { get; } = new();

    public Task Activate() => Task.CompletedTask;

    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        WhenDeactivating[this.GetGrainId()](ServiceProvider.GetRequiredService<IGrainDelay>());
        return Task.CompletedTask;
    }
}
