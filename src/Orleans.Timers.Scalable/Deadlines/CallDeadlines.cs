using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Grains;
using Orleans.Timers.Scalable.Messaging;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers.Firing;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>The state that the call filters of a silo or client share.</summary>
internal sealed partial class CallDeadlines : IDisposable
{
    private static readonly TimeSpan s_warningPeriod = TimeSpan.FromSeconds(1);

    private readonly ILogger _logger;
    private readonly bool _cancelsAtDeadline;
    private readonly ActivationDelays? _activations;
    private long _notLogged;
    private long _nextWarning = long.MinValue;

    public CallDeadlines(
        CallTimers timers,
        Stalls stalls,
        IServiceProvider services,
        IOptions<OrleansTimerOptions> options,
        ILoggerFactory loggers,
        IMeterFactory? meterFactory = null)
    {
        Timers = timers;
        _logger = new NonThrowingLogger(PluginLog.Of<CallDeadlines>(loggers));
        Stalls = stalls;
        Counts = new DeadlineCounts(TimerServiceName.Host(services), meterFactory);
        _cancelsAtDeadline = options.Value is { Enabled: true, CancelTokensAtDeadline: true };

        // A client has no activations.
        _activations = options.Value is { Enabled: true, CancelTokensAtDeactivation: true }
            ? services.GetService<ActivationDelays>()
            : null;
        if (KeyedClocks.KeepsSystemTime(services))
        {
            QueueTime = QueueTime.Of(services, _logger);
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

    /// <summary>Counts a refused call, and logs it unless another was logged less than a second ago.</summary>
    /// <remarks>An overloaded silo refuses thousands of calls a second, and could not keep up logging them.</remarks>
    /// <param name="side">The side that refuses the call.</param>
    /// <param name="call">The call.</param>
    /// <param name="reason">The message for the caller.</param>
    internal void OnRefused(string side, IGrainCallContext call, string reason)
    {
        Counts.CountRefused(side, call.InterfaceName, call.MethodName);
        Interlocked.Increment(ref _notLogged);
        var clock = Timers.Service.TimeProvider;
        var (now, next) = (clock.GetTimestamp(), Volatile.Read(ref _nextWarning));
        var period = (long)(s_warningPeriod.TotalSeconds * clock.TimestampFrequency);
        if (now >= next && Interlocked.CompareExchange(ref _nextWarning, now + period, next) == next)
        {
            LogRefused(_logger, Interlocked.Exchange(ref _notLogged, 0), reason);
        }
    }

    public void Dispose() => Counts.Dispose();

    [LoggerMessage(
        2,
        LogLevel.Warning,
        "{Count} calls were refused since the last such warning, because their deadlines had passed. The last one: "
            + "{Reason}")]
    private static partial void LogRefused(ILogger logger, long count, string reason);
}
