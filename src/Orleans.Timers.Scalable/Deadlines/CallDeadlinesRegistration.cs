using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Orleans.Timers.Scalable;

/// <summary>What <c>AddCallDeadlines</c> registers, for silos and clients alike.</summary>
internal static class CallDeadlinesRegistration
{
    private static volatile bool s_isAdded;

    internal static void AddTo(IServiceCollection services)
    {
        s_isAdded = true;

        // A client that shares its container with a silo shares the silo's filters too.
        if (!services.Any(static service => service.ServiceType == typeof(CallDeadlines)))
        {
            services.AddSingleton<CallDeadlines>();
            services.AddSingleton<IOutgoingGrainCallFilter, OutgoingDeadlineFilter>();
            services.AddSingleton<IIncomingGrainCallFilter, IncomingDeadlineFilter>();
            services.TryAddEnumerable(ServiceDescriptor.Singleton<IIncomingGrainCallFilter, TransactionalCallFilter>());
            services.AddLifecycleParticipant<CallDeadlineOrder>();
        }
    }

    /// <exception cref="InvalidOperationException">No silo or client of this process propagates deadlines.</exception>
    internal static void ThrowIfNotAdded()
    {
        if (!s_isAdded)
        {
            throw new InvalidOperationException(
                "No silo or client of this process has called AddCallDeadlines, so a deadline would bound no call. "
                    + "Call it where the silo or client is configured.");
        }
    }
}
