using System.Diagnostics.Metrics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace ScalableTimers;

/// <summary>Registers a <see cref="TimerService"/> with a host.</summary>
public static class ScalableTimersServiceCollectionExtensions
{
    // Without it, a container that resolves a circle of factories recurses until it hangs or overflows its stack.
    [ThreadStatic]
    private static IServiceProvider? s_asksForClock;

    /// <summary>
    /// Adds one <see cref="TimerService"/>, which stops after the host's services and is disposed with the container.
    /// </summary>
    /// <param name="services">
    /// The services to add it to. Adding twice configures twice but registers once. A <see cref="TimerService"/> that
    /// the program registers itself, before or after, takes its place.
    /// </param>
    /// <param name="configure">Sets options. If one is out of range, the host fails to start.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <remarks>
    /// <para>
    /// The service's clock is the container's <see cref="TimeProvider"/> or, if there is none, the system clock.
    /// Exceptions of callbacks are logged unless <see cref="TimerServiceOptions.CallbackExceptions"/> says otherwise.
    /// </para>
    /// <para>
    /// When the host stops, pending delays go on until all its services have stopped, like those of <c>Task.Delay</c>:
    /// requests that are still answered, or loops that still drain, may use them. Then they end. Disposing the
    /// container waits for no callback, as it waits for none of .NET's timers.
    /// </para>
    /// </remarks>
    /// <example>
    /// <code>
    /// builder.Services.AddScalableTimers(static options => options.Resolution = TimeSpan.FromMilliseconds(20));
    /// </code>
    /// </example>
    public static IServiceCollection AddScalableTimers(
        this IServiceCollection services, Action<TimerServiceOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        services.AddScalableTimers().Configure(configure);
        return services;
    }

    /// <inheritdoc cref="AddScalableTimers(IServiceCollection, Action{TimerServiceOptions})"/>
    public static IServiceCollection AddScalableTimers(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        AddOptions(services, Options.DefaultName);
        if (!services.Any(static other => other.ServiceType == typeof(TimerServiceHost) && !other.IsKeyedService))
        {
            services.TryAddSingleton(static provider => Create(
                provider, Options.DefaultName, static provider => provider.GetService<TimeProvider>()));
            services.AddSingleton(
                static provider => new TimerServiceHost(provider.GetRequiredService<TimerService>()));
            services.AddSingleton<IHostedService>(
                static provider => provider.GetRequiredService<TimerServiceHost>());
        }

        return services;
    }

    /// <summary>Adds one <see cref="TimerService"/> with the options of a section of the configuration.</summary>
    /// <param name="services">The services to add it to.</param>
    /// <param name="configuration">The section, such as <c>configuration.GetSection("ScalableTimers")</c>.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <inheritdoc cref="AddScalableTimers(IServiceCollection, Action{TimerServiceOptions})" path="/remarks"/>
    public static IServiceCollection AddScalableTimers(
        this IServiceCollection services, IConfiguration configuration)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        services.AddScalableTimers().AddOptions<TimerServiceOptions>().Bind(configuration);
        return services;
    }

    /// <summary>Adds a <see cref="TimerService"/> with a key, beside others.</summary>
    /// <param name="services">The services to add it to.</param>
    /// <param name="key">The key, also the name of the service's options and, if they set none, of the service.</param>
    /// <param name="configure">Sets options. If one is out of range, the host fails to start.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <remarks>Its clock is the <see cref="TimeProvider"/> of that key, or else the one without a key.</remarks>
    public static IServiceCollection AddKeyedScalableTimers(
        this IServiceCollection services, string key, Action<TimerServiceOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(key);
        AddOptions(services, key);
        if (configure is not null)
        {
            services.Configure(key, configure);
        }

        if (!services.Any(other => other.ServiceType == typeof(TimerServiceHost) && Equals(other.ServiceKey, key)))
        {
            services.TryAddKeyedSingleton(key, (provider, _) => Create(
                provider,
                key,
                provider => provider.GetKeyedService<TimeProvider>(key) ?? provider.GetService<TimeProvider>()));
            services.AddKeyedSingleton(
                key,
                static (provider, key) => new TimerServiceHost(provider.GetRequiredKeyedService<TimerService>(key)));
            services.AddSingleton<IHostedService>(
                provider => provider.GetRequiredKeyedService<TimerServiceHost>(key));
        }

        return services;
    }

    /// <summary>
    /// In a container, exceptions are logged unless the program says otherwise: before or after this call, so this goes
    /// first.
    /// </summary>
    internal static void LogExceptionsByDefault(IServiceCollection services)
    {
        if (!services.Any(static service => service.ImplementationInstance is LoggedExceptions))
        {
            services.Insert(
                0, ServiceDescriptor.Singleton<IConfigureOptions<TimerServiceOptions>>(new LoggedExceptions()));
        }
    }

    private static void AddOptions(IServiceCollection services, string name)
    {
        LogExceptionsByDefault(services);
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IValidateOptions<TimerServiceOptions>, TimerServiceOptionsValidator>());
        services.AddOptions<TimerServiceOptions>(name).ValidateOnStart();
    }

    private static TimerService Create(
        IServiceProvider provider, string name, Func<IServiceProvider, TimeProvider?> clock)
    {
        var options = provider.GetRequiredService<IOptionsMonitor<TimerServiceOptions>>().Get(name);
        options.Name ??= name.Length > 0 ? name : null;
        return new TimerService(
            options,
            provider.GetService<ILogger<TimerService>>(),
            ClockOf(provider, clock),
            provider.GetService<IMeterFactory>())
        {
            IsOfAContainer = true,
        };
    }

    /// <summary>The container's clock, or null. Throws if the clock is made by the service that asks for it.</summary>
    internal static TimeProvider? ClockOf(
        IServiceProvider provider, Func<IServiceProvider, TimeProvider?> resolve)
    {
        if (ReferenceEquals(s_asksForClock, provider))
        {
            throw new InvalidOperationException(
                "The TimeProvider that is registered comes from the TimerService, whose clock it would also be. "
                + "Register it under a key.");
        }

        var outer = s_asksForClock;
        s_asksForClock = provider;
        try
        {
            return resolve(provider);
        }
        finally
        {
            s_asksForClock = outer;
        }
    }

    private sealed class LoggedExceptions()
        : ConfigureNamedOptions<TimerServiceOptions>(
            name: null, static options => options.CallbackExceptions = CallbackExceptions.Log);
}
