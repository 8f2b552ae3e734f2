using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers.Metrics;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>Counts the calls of one service that timed out, and publishes the figures.</summary>
/// <remarks>Calls that are answered in time are not counted.</remarks>
internal sealed class CallTimeoutStatistics
{
    // Guards
    //   _abandoned (written), _timedOut, _cancelled, _answeredLate   _lock
    private readonly Lock _lock = new();

    /// <summary>
    /// The calls that timed out and have not ended. A call is counted once, however often it is bounded.
    /// </summary>
    private readonly ConditionalWeakTable<Task, CallTimeoutStatistics> _abandoned = [];
    private long _timedOut;
    private long _cancelled;
    private long _answeredLate;
    private string? _silo;

    internal (long TimedOut, long Cancelled, long AnsweredLate, long Abandoned) Figures
    {
        get
        {
            lock (_lock)
            {
                return (_timedOut, _cancelled, _answeredLate, _timedOut - _cancelled - _answeredLate);
            }
        }
    }

    /// <summary>Publishes the figures of a silo or client until the result is disposed.</summary>
    internal Publication<CallTimeoutStatistics> Publish(IServiceProvider services)
    {
        _silo = TimerServiceName.Host(services);
        return new(this, PluginMeter.Create(services.GetService<IMeterFactory>()), Make);
    }

    /// <summary>Whether a call has timed out and not ended. If so, its end is already awaited.</summary>
    internal bool IsAbandoned(Task call) => _abandoned.TryGetValue(call, out _);

    internal void OnTimedOut(Task call)
    {
        lock (_lock)
        {
            if (_abandoned.TryAdd(call, this))
            {
                _timedOut++;
            }
        }
    }

    /// <summary>
    /// Invoked once for each bound of a timed-out call when the call ends. Only the first invocation counts.
    /// </summary>
    internal void OnEndedLate(Task call, bool wasCancelled)
    {
        lock (_lock)
        {
            if (_abandoned.Remove(call))
            {
                (wasCancelled ? ref _cancelled : ref _answeredLate)++;
            }
        }
    }

    private static void Make(MeterInstruments<CallTimeoutStatistics> instruments)
    {
        instruments.AddCounter(
            "scalable_timers.calls.timed_out",
            static calls => calls.Measure(calls.Figures.TimedOut),
            "{call}",
            "Calls that were not answered within a timeout chosen at run time.");
        instruments.AddCounter(
            "scalable_timers.calls.cancelled",
            static calls => calls.Measure(calls.Figures.Cancelled),
            "{call}",
            "Calls that timed out and that Orleans then ended as cancelled, whether or not their callee saw it.");
        instruments.AddCounter(
            "scalable_timers.calls.answered_late",
            static calls => calls.Measure(calls.Figures.AnsweredLate),
            "{call}",
            "Calls that timed out, could not be cancelled, and ended later.");
        instruments.AddUpDownCounter(
            "scalable_timers.calls.abandoned",
            static calls => calls.Measure(calls.Figures.Abandoned),
            "{call}",
            "Calls that timed out and have not ended.");
    }

    private Measurement<long>[] Measure(long figure) => [new Measurement<long>(figure, PluginMeter.Silo(_silo))];
}
