using System.Runtime.CompilerServices;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable;
using ScalableTimers;

namespace Orleans.Hosting;

/// <summary>Adds scalable timers to a client.</summary>
/// <remarks>
/// <para>
/// A client with scalable timers has one <see cref="TimerService"/>, to be injected where the client's program needs
/// timeouts. A client that shares its container with a silo shares the silo's service. Orleans looks for response
/// timeouts more often than once a second; <see cref="OrleansTimerOptions"/> says how often.
/// </para>
/// <para>
/// <b>Cost.</b> Nothing for a call, because no call filter is registered. <b>Accuracy</b> and <b>order</b> are those of
/// <see cref="TimerService"/>. <b>Threads.</b> Call these methods while the client is being configured. Calling twice
/// configures twice and registers once.
/// </para>
/// </remarks>
public static class ScalableTimersClientBuilderExtensions
{
    /// <summary>Adds scalable timers with their default options.</summary>
    /// <param name="builder">The client.</param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddScalableTimers(this IClientBuilder builder) =>
        builder.AddScalableTimers(static (OptionsBuilder<ScalableTimerOptions> _) => { });

    /// <summary>Adds scalable timers.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="configureOptions">Sets options. A value out of its range keeps the client from starting.</param>
    /// <returns><paramref name="builder"/>.</returns>
    [OverloadResolutionPriority(1)]
    public static IClientBuilder AddScalableTimers(
        this IClientBuilder builder, Action<ScalableTimerOptions> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(configureOptions);
        return builder.AddScalableTimers(
            (OptionsBuilder<ScalableTimerOptions> options) => options.Configure(configureOptions));
    }

    /// <summary>Adds scalable timers.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="configureOptions">
    /// Sets options, for instance by binding them to configuration. A value out of its range keeps the client from
    /// starting.
    /// </param>
    /// <returns><paramref name="builder"/>.</returns>
    public static IClientBuilder AddScalableTimers(
        this IClientBuilder builder, Action<OptionsBuilder<ScalableTimerOptions>> configureOptions)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configureOptions);
        configureOptions(ScalableTimersRegistration.AddToClient(builder.Services));
        return builder;
    }
}
