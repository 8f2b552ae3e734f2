using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using Orleans.Timers.Scalable.Messaging;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What tests look up in silos, clients and services.</summary>
internal static class ServiceExtensions
{
    /// <summary>The width of a tick, which a service does not publish.</summary>
    internal static TimeSpan Resolution(this TimerService timers) =>
        timers.Clock.Resolution;

    internal static TimerService Timers(this InProcessSiloHandle silo) =>
        silo.ServiceProvider.GetRequiredService<TimerService>();

    internal static ResponseTimeoutClock MessagingClock(this IServiceProvider services) =>
        Assert.IsType<ResponseTimeoutClock>(
            services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Messaging));
}
