using System.Runtime.CompilerServices;
using Orleans.Runtime.Diagnostics;

namespace Orleans.Timers.Scalable;

/// <summary>Listens to Orleans' events in the lives of grains, in versions that have them.</summary>
/// <remarks>
/// No other type names the type of the events. Where it is missing, this type cannot be loaded, and a method that names
/// this type throws when it is compiled. So only a method that is not inlined may name it, in code that can do without.
/// </remarks>
internal sealed class DeactivationEvents : IObserver<GrainLifecycleEvents.LifecycleEvent>
{
    private readonly ActivationDelays _delays;

    private DeactivationEvents(ActivationDelays delays) => _delays = delays;

    public void OnNext(GrainLifecycleEvents.LifecycleEvent value)
    {
        switch (value)
        {
            case GrainLifecycleEvents.Deactivating:
                _delays.OnDeactivating(value.GrainContext);
                break;
            case GrainLifecycleEvents.Deactivated:
                _delays.OnDeactivated(value.GrainContext);
                break;
        }
    }

    public void OnCompleted()
    {
    }

    public void OnError(Exception error)
    {
    }

    /// <exception cref="TypeLoadException">This version of Orleans lacks one of the events.</exception>
    /// <exception cref="MissingMemberException">This version of Orleans has other events.</exception>
    internal static IDisposable Subscribe(ActivationDelays delays)
    {
        // What OnNext names shall be missed here and not at the first event, in the middle of a deactivation.
        RuntimeHelpers.PrepareMethod(
            ((Action<GrainLifecycleEvents.LifecycleEvent>)new DeactivationEvents(delays).OnNext).Method.MethodHandle);
        return GrainLifecycleEvents.AllEvents.Subscribe(new DeactivationEvents(delays));
    }
}
