using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Orleans.Timers.Scalable;

/// <summary>What <c>AddCallTimeouts</c> registers.</summary>
internal static class CallTimeoutsRegistration
{
    internal static void AddTo(IServiceCollection services)
    {
        services.TryAddSingleton<CallTimeoutMetrics>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IIncomingGrainCallFilter, TransactionalCallFilter>());
        if (services.Any(static service => service.ImplementationType == typeof(CallTimeoutFilter)))
        {
            return;
        }

        // In front of all others, since the first one registered is the outermost. It makes the call anew, through all
        // filters, so one around it would be passed twice.
        services.Insert(0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, CallTimeoutFilter>());
    }
}
