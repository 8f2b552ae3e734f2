using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Options;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable;

/// <summary>The instruments of the calls of a silo or client, by interface and method.</summary>
internal sealed class CallMetrics
{
    internal const string DurationName = "scalable_timers.call.duration";
    internal const string QueueTimeName = "scalable_timers.call.queue_time";
    internal const string TimeoutsName = "scalable_timers.call.timeouts";
    internal const string Service = "rpc.service";
    internal const string Method = "rpc.method";
    internal const string Cause = "cause";

    private readonly ConcurrentDictionary<Type, MethodTags> _methods = new();
    private readonly Histogram<double> _durations;
    private readonly Histogram<double> _queueTimes;
    private readonly Counter<long> _timeouts;
    private readonly KeyValuePair<string, object?> _silo;
    private readonly int _mostMethods;
    private int _methodCount;

    /// <param name="meters">Creates the meter.</param>
    /// <param name="services">Names the silo, or is a client's.</param>
    /// <param name="options">Bounds the number of methods.</param>
    public CallMetrics(IMeterFactory meters, IServiceProvider services, IOptions<CallDiagnosticsOptions> options)
    {
        _silo = PluginMeter.Silo(TimerServiceName.Host(services));
        _mostMethods = options.Value.MethodsInMetrics;
        var meter = PluginMeter.Create(meters);
        _durations = meter.CreateDurations(DurationName, "How long a call took, whatever its end.");
        _queueTimes = meter.CreateDurations(
            QueueTimeName, "How long a sampled request waited for its turn, at least.");
        _timeouts = meter.CreateCounter<long>(
            TimeoutsName, "{call}", "Calls that a timeout or a deadline ended, by the cause.");
    }

    /// <summary>Records a call that has ended. Costs two look-ups if somebody listens, and nothing otherwise.</summary>
    internal void Took(IInvokable request, TimeSpan duration) => Record(_durations, request, duration);

    internal void Waited(IInvokable request, TimeSpan time) => Record(_queueTimes, request, time);

    internal void CountTimeout(IInvokable? request, string cause)
    {
        var tags = request is null ? MethodTags.NotKnown : Tags(request);
        try
        {
            _timeouts.Add(1, [tags.Service, tags.Method, _silo, new(Cause, cause)]);
        }
#pragma warning disable CA1031 // A listener has thrown. The timeout must be explained all the same.
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }

    private void Record(Histogram<double> histogram, IInvokable request, TimeSpan time)
    {
        if (!histogram.Enabled)
        {
            return;
        }

        var tags = Tags(request);
        try
        {
            histogram.Record(time.TotalSeconds, tags.Service, tags.Method, _silo);
        }
#pragma warning disable CA1031 // A listener has thrown. The call must end as it does without one.
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }

    // Each method has a type of request. The methods of generic interfaces have one for each use.
    private MethodTags Tags(IInvokable request) =>
        _methods.TryGetValue(request.GetType(), out var tags) ? tags : AddTags(request);

    private MethodTags AddTags(IInvokable request)
    {
        if (Volatile.Read(ref _methodCount) >= _mostMethods)
        {
            return MethodTags.Other;
        }

        // Two threads may take the last place, so it is counted before it is used.
        if (Interlocked.Increment(ref _methodCount) > _mostMethods)
        {
            Interlocked.Decrement(ref _methodCount);
            return MethodTags.Other;
        }

        var tags = new MethodTags(request.GetInterfaceName(), request.GetMethodName());
        if (_methods.TryAdd(request.GetType(), tags))
        {
            return tags;
        }

        Interlocked.Decrement(ref _methodCount);
        return Tags(request);
    }

    private sealed class MethodTags(string service, string method)
    {
        internal static readonly MethodTags Other = new("other", "other");
        internal static readonly MethodTags NotKnown = new(CallExplanation.NotKnown, CallExplanation.NotKnown);

        internal KeyValuePair<string, object?> Service { get; } = new(CallMetrics.Service, service);

        internal KeyValuePair<string, object?> Method { get; } = new(CallMetrics.Method, method);
    }
}
