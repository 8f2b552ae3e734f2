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

        // The first registered filter is the outermost, so this one goes in front of all others. It moves there again
        // if another filter has been put in front since.
        var added = services.FirstOrDefault(static service => service.ImplementationType == typeof(CallTimeoutFilter));
        if (added is not null)
        {
            services.Remove(added);
            services.Insert(0, added);
            return;
        }

        services.Insert(0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, CallTimeoutFilter>());
        services.AddLifecycleParticipant<CallTimeoutOrder>();
    }
}
