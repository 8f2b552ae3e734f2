using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Clocks;

namespace Orleans.Timers.Scalable.Messaging;

/// <summary>
/// Registers the messaging clock, by the rules of <see cref="KeyedClocks"/>: a user's own clock, or a test's, stays in
/// use.
/// </summary>
internal static class MessagingClock
{
    internal static void AddTo<TOptions>(IServiceCollection services)
        where TOptions : MessagingOptions =>
        services.TryAddKeyedSingleton(TimeProviderNames.Messaging, static (services, _) => Choose<TOptions>(services));

    private static TimeProvider Choose<TOptions>(IServiceProvider services)
        where TOptions : MessagingOptions
    {
        var fallback = KeyedClocks.Fallback(services);
        return ReferenceEquals(fallback, TimeProvider.System)
            ? new ResponseTimeoutClock(
                fallback,
                () => services.GetRequiredService<IOptions<TOptions>>().Value.ResponseTimeout)
            : fallback;
    }
}
