using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.CallTimeouts;

/// <summary>
/// Prevents a silo or client from starting with a filter in front of the one of <c>AddCallTimeouts</c>.
/// </summary>
/// <remarks>
/// A bounded call goes through all filters again, so it would pass a filter in front twice. A limiter there would wait
/// for a second permit while it holds the first. A filter that begins a <see cref="CallTimeout"/> would begin another
/// one without end. Other filters may be registered until the silo or client starts.
/// </remarks>
internal sealed class CallTimeoutOrder(IServiceProvider services)
    : LifecycleParticipant(ServiceLifecycleStage.RuntimeInitialize)
{
    protected override void Start()
    {
        var outermost = services.GetServices<IOutgoingGrainCallFilter>().First();
        if (outermost is not CallTimeoutFilter)
        {
            throw new OrleansConfigurationException(
                $"The call filter {outermost.GetType()} is registered in front of the filter of AddCallTimeouts, which "
                    + "must be the first. Call AddCallTimeouts after registering the other filter, or register the "
                    + "other filter behind.");
        }
    }
}
