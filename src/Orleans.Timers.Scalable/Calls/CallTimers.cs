using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Messaging;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>What all calls that wait on the same timer service share: the state of a silo or client.</summary>
/// <param name="service">The service that measures the time.</param>
/// <param name="stalls">When the process stood still.</param>
/// <param name="services">Those of the silo or client; null if the timer service belongs to none.</param>
/// <param name="isOff">
/// Whether <see cref="OrleansTimerOptions.Enabled"/> is false. Calls then wait on .NET's timers.
/// </param>
internal sealed class CallTimers(
    TimerService service, Stalls stalls, IServiceProvider? services = null, bool isOff = false)
{
    internal const string TimedOutName = "scalable_timers.calls.timed_out";

    private readonly KeyValuePair<string, object?> _silo =
        PluginMeter.Silo(services is null ? null : TimerServiceName.Host(services));

    private readonly Counter<long> _timedOut = PluginMeter.Create(services?.GetService<IMeterFactory>())
        .CreateCounter<long>(
            TimedOutName, "{call}", "Timeouts chosen at run time that passed before their call was answered.");

    internal TimerService Service => service;

    internal Stalls Stalls => stalls;

    internal IServiceProvider? Services => services;

    internal bool IsOff => isOff;

    /// <summary>
    /// The state that belongs to a service. <c>WithTimeout</c> is given only the service, which may belong to no silo.
    /// </summary>
    internal static CallTimers Of(TimerService service) =>
        service.Owner as CallTimers ?? Attach(new CallTimers(service, Stalls.Of(service)));

    /// <summary>Makes this the state of its service, unless the service has one.</summary>
    internal static CallTimers Attach(CallTimers timers) =>
        Interlocked.CompareExchange(ref timers.Service.Owner, timers, null) as CallTimers ?? timers;

    internal void CountTimeout() => _timedOut.Add(1, _silo);
}
