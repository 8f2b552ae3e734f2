using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Clocks;

namespace Orleans.Timers.Scalable.Messaging;

/// <summary>Registers the messaging clock, by the rules of <see cref="KeyedClocks"/>.</summary>
internal static class MessagingClock
{
    internal static void AddTo<TOptions>(IServiceCollection services)
        where TOptions : MessagingOptions =>
        KeyedClocks.Decorate(services, TimeProviderNames.Messaging, static (clock, services) =>
            new ResponseTimeoutClock(
                clock, () => services.GetRequiredService<IOptions<TOptions>>().Value.ResponseTimeout));
}
