using Microsoft.Extensions.DependencyInjection;
using Orleans.Reminders;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>The clocks that a silo's parts take by key, and which of them the timer service drives.</summary>
/// <remarks>
/// Orleans answers any key with the unkeyed clock unless the key has one of its own. The unkeyed clock also drives
/// membership, so it is never touched: each key gets its own registration. A key that somebody else has registered, before or
/// after, stays theirs; and while the clock behind a key is not the system's, a test's for instance, the key gets that clock.
/// </remarks>
internal sealed class KeyedClocks
{
    /// <summary>Registered by nobody, so it resolves to what any key resolves to.</summary>
    private const string NoKey = "Orleans.Timers.Scalable.NoKey";

    private static readonly string[] s_keys =
    [
        TimeProviderNames.Grains,
        TransactionTimeProviderNames.Transactions,
        ReminderTimeProviderNames.Reminders,
    ];

    private readonly IServiceCollection _services;
    private readonly Dictionary<string, ServiceDescriptor> _registered = [];

    private KeyedClocks(IServiceCollection services) => _services = services;

    internal static KeyedClocks AddTo(IServiceCollection services)
    {
        var clocks = new KeyedClocks(services);
        foreach (var key in s_keys)
        {
            if (clocks.Find(key) is null)
            {
                var descriptor = ServiceDescriptor.KeyedSingleton<TimeProvider>(key, static (services, _) => Choose(services));
                clocks._registered.Add(key, descriptor);
                services.Add(descriptor);
            }
        }

        return clocks;
    }

    /// <summary>The clock that the service keeps time by: what grains would have without it.</summary>
    internal static TimeProvider ServiceClock(IServiceProvider services)
    {
        var clocks = services.GetService<KeyedClocks>();
        return clocks is null || clocks.IsOurs(TimeProviderNames.Grains)
            ? Fallback(services)
            : services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Grains);
    }

    /// <summary>The keys that the service does not drive.</summary>
    internal static IEnumerable<(string Key, TimeProvider Clock)> LeftAlone(IServiceProvider services)
    {
        foreach (var key in s_keys)
        {
            if (services.GetKeyedService<TimeProvider>(key) is { } clock and not ScalableTimeProvider)
            {
                yield return (key, clock);
            }
        }
    }

    /// <summary>The clock that any key has which nobody has registered.</summary>
    internal static TimeProvider Fallback(IServiceProvider services) =>
        services.GetKeyedService<TimeProvider>(NoKey) ?? services.GetService<TimeProvider>() ?? TimeProvider.System;

    private static TimeProvider Choose(IServiceProvider services)
    {
        // A service that keeps a test's time must not lend it to parts that keep the system's.
        var fallback = Fallback(services);
        return ReferenceEquals(fallback, TimeProvider.System) && ReferenceEquals(fallback, ServiceClock(services))
            ? services.GetRequiredService<TimerService>().TimeProvider
            : fallback;
    }

    // Of several registrations the last one counts.
    private ServiceDescriptor? Find(string key) =>
        _services.LastOrDefault(service => service.IsKeyedService && service.ServiceType == typeof(TimeProvider) && Equals(service.ServiceKey, key));

    private bool IsOurs(string key) => _registered.TryGetValue(key, out var ours) && ReferenceEquals(Find(key), ours);
}
