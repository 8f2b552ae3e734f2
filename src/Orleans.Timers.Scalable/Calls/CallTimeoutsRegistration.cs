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

        // In front of all others, since the first one registered is the outermost; and again if another has been put in front since.
        var added = services.FirstOrDefault(static service => service.ImplementationType == typeof(CallTimeoutFilter));
        if (added is not null)
        {
            services.Remove(added);
            services.Insert(0, added);
            return;
        }

        services.Insert(0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, CallTimeoutFilter>());
        CallFilterOrder.Add<CallTimeoutOrder>(services);
    }
}
