using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Clocks;

/// <summary>The clocks that the parts of a silo resolve by key. The timer service drives some of them.</summary>
/// <remarks>
/// For each key, Orleans resolves the unkeyed clock unless the key has its own. The unkeyed clock also drives
/// membership, so it is never replaced. Instead, each key gets its own registration. A key that other code registers,
/// before or after, keeps that clock. If the unkeyed clock is not the system clock but, for instance, a test's, each
/// key resolves to it.
/// </remarks>
internal sealed class KeyedClocks
{
    // The package references none of these parts of Orleans, because not every silo has them. Not even at compile time:
    // Orleans' code generator would list their assemblies as application parts, and a silo without them would not
    // start.

    /// <summary>The key of transactions.</summary>
    internal const string Transactions = "Orleans.Transactions";

    /// <summary>The key of reminders.</summary>
    internal const string Reminders = "Orleans.Reminders";

    /// <summary>The key of durable jobs.</summary>
    internal const string DurableJobs = "Orleans.DurableJobs";

    /// <summary>
    /// Nothing is registered under this key, so it resolves to the clock of any key without a registration.
    /// </summary>
    private const string NoKey = "Orleans.Timers.Scalable.NoKey";

    private static readonly string[] s_keys =
        [TimeProviderNames.Grains, Transactions, Reminders, DurableJobs];

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
                var descriptor = ServiceDescriptor.KeyedSingleton<TimeProvider>(
                    key,
                    static (services, _) => Choose(services));
                clocks._registered.Add(key, descriptor);
                services.Add(descriptor);
            }
        }

        return clocks;
    }

    /// <summary>Whether the timer service runs on the system clock, not on a test's.</summary>
    internal static bool KeepsSystemTime(IServiceProvider services) =>
        ReferenceEquals(ServiceClock(services), TimeProvider.System);

    /// <summary>The clock that the timer service uses: the one that grains would have without the service.</summary>
    internal static TimeProvider ServiceClock(IServiceProvider services)
    {
        var clocks = services.GetService<KeyedClocks>();
        return clocks is null || clocks.IsOurs(TimeProviderNames.Grains)
            ? Fallback(services)
            : services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Grains);
    }

    /// <summary>The keys that the service drives.</summary>
    internal static IEnumerable<string> Driven(IServiceProvider services) =>
        Keys(services).Where(key => services.GetKeyedService<TimeProvider>(key) is ScalableTimeProvider);

    /// <summary>The keys that the service does not drive.</summary>
    internal static IEnumerable<(string Key, TimeProvider Clock)> LeftAlone(IServiceProvider services) =>
        Keys(services)
            .Select(key => (Key: key, Clock: services.GetKeyedService<TimeProvider>(key)!))
            .Where(static left => left.Clock is not (null or ScalableTimeProvider));

    /// <summary>The clock of a key without a registration.</summary>
    internal static TimeProvider Fallback(IServiceProvider services) =>
        ScalableTimersServiceCollectionExtensions.ClockOf(
            services, static all => all.GetKeyedService<TimeProvider>(NoKey) ?? all.GetService<TimeProvider>())
        ?? TimeProvider.System;

    // A client has none of these clocks.
    private static string[] Keys(IServiceProvider services) => services.GetService<KeyedClocks>() is null ? [] : s_keys;

    private static TimeProvider Choose(IServiceProvider services)
    {
        // A service on a test's clock must not provide it to parts that use the system clock.
        var fallback = Fallback(services);
        return ReferenceEquals(fallback, TimeProvider.System)
            && ReferenceEquals(fallback, ServiceClock(services))
            && services.GetRequiredService<IOptions<OrleansTimerOptions>>().Value.DrivesClocks
            ? services.GetRequiredService<TimerService>().TimeProvider
            : fallback;
    }

    // The last of several registrations counts.
    private ServiceDescriptor? Find(string key) =>
        _services.LastOrDefault(service =>
            service.IsKeyedService
            && service.ServiceType == typeof(TimeProvider)
            && Equals(service.ServiceKey, key));

    private bool IsOurs(string key) => _registered.TryGetValue(key, out var ours) && ReferenceEquals(Find(key), ours);
}
