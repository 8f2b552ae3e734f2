using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Orleans.Timers.Scalable;

/// <summary>What <c>AddCallTimeouts</c> registers.</summary>
internal static class CallTimeoutsRegistration
{
    private static volatile bool s_isAdded;

    internal static void AddTo(IServiceCollection services)
    {
        s_isAdded = true;
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

    /// <exception cref="InvalidOperationException">No silo or client of this process has the filters.</exception>
    internal static void ThrowIfNotAdded()
    {
        if (!s_isAdded)
        {
            throw new InvalidOperationException(
                "No silo or client of this process has called AddCallTimeouts, so a timeout would bound no call. Call "
                    + "it where the silo or client is configured.");
        }
    }
}
