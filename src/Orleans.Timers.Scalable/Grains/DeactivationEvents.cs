using Orleans.Runtime.Diagnostics;
using Orleans.Timers.Scalable.Registration;

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

    /// <summary>
    /// Calls what uses the events, so that <see cref="OrleansFit"/> sees what is missing: the runtime compiles a method
    /// when it is called, and not always when it is told to prepare it.
    /// </summary>
    internal static Type Checked()
    {
        new DeactivationEvents(static (_, _) => { }).OnNext(null);
        Subscribe(static (_, _) => { }).Dispose();
        return typeof(DeactivationEvents);
    }

    public void OnNext(GrainLifecycleEvents.LifecycleEvent? value)
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
