using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable;

/// <summary>Keeps a silo or client from starting with a filter around that of <c>AddCallTimeouts</c>.</summary>
/// <remarks>
/// A call that is bounded goes through all filters again. One in front would be passed twice: a limiter there would wait for a second permit and
/// hold the first one, and one that begins a <see cref="CallTimeout"/> would begin the next without end.
/// </remarks>
internal sealed class CallTimeoutOrder(IServiceProvider services) : CallFilterOrder
{
    protected override void Check()
    {
        var outermost = services.GetServices<IOutgoingGrainCallFilter>().First();
        if (outermost is not CallTimeoutFilter)
        {
            throw new OrleansConfigurationException($"The call filter {outermost.GetType()} is registered in front of the one of AddCallTimeouts, which must be the first. Register it behind, or call AddCallTimeouts after it.");
        }
    }
}
