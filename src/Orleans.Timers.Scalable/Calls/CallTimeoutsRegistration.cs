using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Orleans.Timers.Scalable;

/// <summary>What <c>AddCallTimeouts</c> registers.</summary>
internal static class CallTimeoutsRegistration
{
    internal static void AddTo(IServiceCollection services)
    {
        services.TryAddSingleton<CallTimeoutMetrics>();
        if (services.Any(static service => service.ImplementationType == typeof(CallTimeoutFilter)))
        {
            return;
        }

        // In front of all others, since the first one registered is the outermost. One around ours that calls again
        // after a timeout would pass ours by: the invoker that they share is at the filter behind ours until the call
        // that we have left alone ends. And one that calls before ours has taken the value off a request would call
        // with it.
        services.Insert(0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, CallTimeoutFilter>());
        services.Insert(0, ServiceDescriptor.Singleton<IIncomingGrainCallFilter, IncomingCallTimeoutFilter>());
    }
}
