using System.Collections.Concurrent;
using Orleans.Runtime.Diagnostics;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Lists the activations of a grain class that are created while this listens, and when each one ends.
/// </summary>
internal sealed class ActivationLog : IObserver<GrainLifecycleEvents.LifecycleEvent>, IDisposable
{
    private readonly string _grainType;
    private readonly ConcurrentDictionary<IGrainContext, Task> _deactivations = new(ReferenceEqualityComparer.Instance);
    private readonly IDisposable _subscription;

    internal ActivationLog(string grainType)
    {
        _grainType = grainType;
        _subscription = GrainLifecycleEvents.AllEvents.Subscribe(this);
    }

    internal ICollection<Task> Deactivations => _deactivations.Values;

    public void OnNext(GrainLifecycleEvents.LifecycleEvent value)
    {
        if (value.GrainContext.GrainId.Type.ToString() == _grainType)
        {
            _deactivations.TryAdd(value.GrainContext, value.GrainContext.Deactivated);
        }
    }

    public void OnCompleted()
    {
    }

    public void OnError(Exception error)
    {
    }

    public void Dispose() => _subscription.Dispose();
}
