using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>Keeps a silo or client from starting with a filter in front of <see cref="CallTimeoutFilter"/>.</summary>
/// <remarks>
/// A bounded call goes through all filters again, so it would pass a filter in front twice. A limiter there would wait
/// for a second permit while it holds the first. A filter that begins a <see cref="CallTimeout"/> would begin new ones
/// endlessly. Checked at the start, because filters may be registered until then.
/// </remarks>
internal sealed class CallTimeoutOrder(IServiceProvider services, CallTimers timers)
    : LifecycleParticipant(ServiceLifecycleStage.RuntimeInitialize)
{
    protected override void Start()
    {
        var outermost = services.GetServices<IOutgoingGrainCallFilter>().First();
        if (outermost is not CallTimeoutFilter && !timers.IsOff)
        {
            throw new OrleansConfigurationException(
                $"The call filter {outermost.GetType()} is registered in front of the filter of AddCallTimeouts, which "
                    + "must be the first. Call AddCallTimeouts after registering the other filter, or register the "
                    + "other filter behind.");
        }
    }
}
