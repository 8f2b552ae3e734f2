using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable.Clocks;

/// <summary>The clocks that the parts of a silo resolve by key. The timer service drives some of them.</summary>
/// <remarks>
/// For each key, Orleans resolves the unkeyed clock unless the key has its own. The unkeyed clock also drives
/// membership, so it is never replaced. Instead, each key gets its own registration, which tells the time of the clock
/// that the key would resolve to, and has the service's timers. If that clock counts time itself, as a test's does, the
/// key resolves to it. So does a key that is registered later.
/// </remarks>
internal sealed class KeyedClocks
{
    // The package references none of these parts of Orleans, because not every silo has them. Not even at compile time:
    // Orleans' code generator would list their assemblies as application parts, and a silo without them would not
    // start.

    /// <summary>The key of transactions.</summary>
    internal static readonly string Transactions = KeyOf("Transactions.Transaction", "Transactions");

    /// <summary>The key of reminders.</summary>
    internal static readonly string Reminders = KeyOf("Reminders.Reminder", "Reminders");

    /// <summary>The key of durable jobs.</summary>
    internal static readonly string DurableJobs = KeyOf("DurableJobs.DurableJob", "DurableJobs");

    /// <summary>
    /// Nothing is registered under this key, so it resolves to the clock of any key without a registration.
    /// </summary>
    private const string NoKey = "Orleans.Timers.Scalable.NoKey";

    private static readonly string[] s_keys =
        [TimeProviderNames.Grains, Transactions, Reminders, DurableJobs];

    private readonly IServiceCollection _services;
    private readonly ServiceDescriptor _ofGrains;
    private readonly object _ofGrainsWithoutUs;

    private KeyedClocks(IServiceCollection services)
    {
        _services = services;
        _ofGrainsWithoutUs = Decorate(services, TimeProviderNames.Grains, Drive);
        _ofGrains = services[^1];
        foreach (var key in s_keys.Skip(1))
        {
            Decorate(services, key, Drive);
        }
    }

    internal static void AddTo(IServiceCollection services) => services.AddSingleton(new KeyedClocks(services));

    // Read at run time, as a constant in another assembly is compiled in.
    private static string KeyOf(string prefix, string name) =>
        Type.GetType($"Orleans.{prefix}TimeProviderNames, Orleans.{name}")?.GetField(name)?.GetValue(null) as string
            ?? $"Orleans.{name}";

    /// <summary>Decorates the clock of a key, unless it counts time itself.</summary>
    /// <returns>The key of the clock without the decorator.</returns>
    internal static object Decorate(
        IServiceCollection services, string key, Func<TimeProvider, IServiceProvider, TimeProvider> decorate)
    {
        if (Find(services, key) is null)
        {
            services.AddKeyedSingleton(key, static (services, _) => Fallback(services));
        }

        return services.Decorate<TimeProvider>(
            key, (clock, services) => ClockOverrides.CountsTime(clock) ? clock : decorate(clock, services));
    }

    /// <summary>Whether the timer service counts time by the system clock, not by a test's.</summary>
    internal static bool KeepsSystemTime(IServiceProvider services) =>
        !ClockOverrides.CountsTime(ServiceClock(services));

    /// <summary>The clock that the timer service uses: the one that grains would have without the service.</summary>
    internal static TimeProvider ServiceClock(IServiceProvider services) =>
        ScalableTimersServiceCollectionExtensions.ClockOf(services, static services =>
            services.GetService<KeyedClocks>() is not { } clocks
                ? Fallback(services)
                : ReferenceEquals(Find(clocks._services, TimeProviderNames.Grains), clocks._ofGrains)
                    ? services.GetRequiredKeyedService<TimeProvider>(clocks._ofGrainsWithoutUs)
                    : services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Grains))!;

    /// <summary>The keys that the service drives.</summary>
    internal static IEnumerable<string> Driven(IServiceProvider services) =>
        Keys(services).Where(key => services.GetKeyedService<TimeProvider>(key) is ScalableTimeProvider);

    /// <summary>The keys that the service does not drive, with the types of their clocks.</summary>
    internal static IEnumerable<string> LeftAlone(IServiceProvider services) =>
        from key in Keys(services)
        let clock = services.GetKeyedService<TimeProvider>(key)
        where clock is not (null or ScalableTimeProvider)
        select $"{key} ({clock.GetType()})";

    /// <summary>The clock of a key without a registration.</summary>
    private static TimeProvider Fallback(IServiceProvider services) =>
        services.GetKeyedService<TimeProvider>(NoKey) ?? services.GetService<TimeProvider>() ?? TimeProvider.System;

    // A client has none of these clocks.
    private static string[] Keys(IServiceProvider services) => services.GetService<KeyedClocks>() is null ? [] : s_keys;

    // A service in a test's time must not drive parts that run in the system's.
    private static TimeProvider Drive(TimeProvider clock, IServiceProvider services) =>
        KeepsSystemTime(services) && services.GetRequiredService<IOptions<OrleansTimerOptions>>().Value.DriveClocks
            ? ((ScalableTimeProvider)services.GetRequiredService<TimerService>().TimeProvider).With(clock)
            : clock;

    // The last of several registrations counts.
    private static ServiceDescriptor? Find(IServiceCollection services, string key) =>
        services.LastOrDefault(service =>
            service.IsKeyedService
            && service.ServiceType == typeof(TimeProvider)
            && Equals(service.ServiceKey, key));
}
