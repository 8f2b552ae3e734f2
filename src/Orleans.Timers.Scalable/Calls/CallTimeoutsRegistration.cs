using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Orleans.Timers.Scalable;

/// <summary>What <c>AddCallTimeouts</c> registers.</summary>
internal static class CallTimeoutsRegistration
{
    internal static void AddTo(IServiceCollection services)
    {
        services.TryAddSingleton<CallTimeoutMetrics>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, CallTimeoutFilter>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IIncomingGrainCallFilter, IncomingCallTimeoutFilter>());
    }
}
