using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Grains;
using Orleans.Timers.Scalable.Messaging;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>The state that the call filters of a silo or client share.</summary>
internal sealed class CallDeadlines
{
    private readonly bool _cancelsAtDeadline;
    private readonly ActivationDelays? _activations;

    public CallDeadlines(
        CallTimers timers,
        Stalls stalls,
        IServiceProvider services,
        IOptions<OrleansTimerOptions> options,
        ILoggerFactory loggers)
    {
        (Timers, Stalls) = (timers, stalls);
        Counts = new DeadlineCounts(services.GetService<IMeterFactory>(), TimerServiceName.Host(services));
        _cancelsAtDeadline = options.Value is { Enabled: true, CancelTokensAtDeadline: true };

        // A client has no activations.
        _activations = options.Value is { Enabled: true, CancelTokensAtDeactivation: true }
            ? services.GetService<ActivationDelays>()
            : null;
        if (KeyedClocks.KeepsSystemTime(services))
        {
            QueueTime = QueueTime.Of(services, PluginLog.Of<CallDeadlines>(loggers));
        }
        else
        {
            // Messages expire by the system clock, which says nothing about a test's clock.
            QueueTime = QueueTime.Unknown;
            None = new FlowingDeadline(timers.Service.TimeProvider, budget: null, outer: null);
        }
    }

    internal CallTimers Timers { get; }

    internal QueueTime QueueTime { get; }

    /// <summary>The service's stalls, except in tests.</summary>
    internal Stalls Stalls { get; set; }

    internal DeadlineCounts Counts { get; }

    /// <summary>
    /// The bound of a request without a deadline. With a test's clock it passes that clock to deadlines that begin in
    /// the request. With the system clock it is null.
    /// </summary>
    internal FlowingDeadline? None { get; }

    /// <summary>Returns what cancels the token of a request's method; null if it takes none, or nothing does.</summary>
    internal RequestToken? TokenOf(IIncomingGrainCallContext call, TimeSpan? budget)
    {
        if (!call.Request.IsCancellable || (_activations is null && !_cancelsAtDeadline))
        {
            return null;
        }

        var left = _cancelsAtDeadline ? QueueTime.Left(call) : null;
        var remaining = left < budget || !_cancelsAtDeadline ? left : budget ?? left;
        return new RequestToken(Timers, call, remaining, _activations?.EndOf(call.TargetContext));
    }
}
