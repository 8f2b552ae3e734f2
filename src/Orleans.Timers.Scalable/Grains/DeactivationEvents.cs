using Orleans.Runtime.Diagnostics;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>Says at once when an activation begins to deactivate. Only this type names Orleans' events.</summary>
/// <remarks>
/// Orleans notifies a grain of its deactivation only when no call runs in it any more. These events come before, for
/// all silos of the process, and under the activation's lock.
/// </remarks>
internal sealed class DeactivationEvents(Action<IGrainContext, DeactivationReasonCode> begin)
    : IObserver<GrainLifecycleEvents.LifecycleEvent>
{
    internal static IDisposable Subscribe(Action<IGrainContext, DeactivationReasonCode> begin) =>
        GrainLifecycleEvents.AllEvents.Subscribe(new DeactivationEvents(begin));

    public void OnNext(GrainLifecycleEvents.LifecycleEvent value)
    {
        if (value is GrainLifecycleEvents.Deactivating { Reason.ReasonCode: var reason })
        {
            begin(value.GrainContext, reason);
        }
    }

    public void OnCompleted()
    {
    }

    public void OnError(Exception error)
    {
    }
}
