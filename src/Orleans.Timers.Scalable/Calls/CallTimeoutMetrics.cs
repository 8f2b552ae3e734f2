using System.Diagnostics.Metrics;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Publishes what has become of calls that timed out; the figures are taken when a listener asks.</summary>
internal sealed class CallTimeoutMetrics : IDisposable
{
    internal const string MeterName = "Orleans.Timers.Scalable";

    private readonly Meter _meter;
    private readonly bool _isOwned;

    public CallTimeoutMetrics(TimerService timers, IMeterFactory? factory = null)
    {
        _isOwned = factory is null;
        _meter = factory?.Create(new MeterOptions(MeterName)) ?? new Meter(MeterName);
        _meter.CreateObservableCounter("scalable_timers.calls.timed_out", () => timers.GetCallTimeouts().TimedOut, "{call}", "Calls that were not answered within a timeout chosen at run time.");
        _meter.CreateObservableCounter("scalable_timers.calls.cancelled", () => timers.GetCallTimeouts().Cancelled, "{call}", "Calls that timed out and were cancelled.");
        _meter.CreateObservableCounter("scalable_timers.calls.answered_late", () => timers.GetCallTimeouts().AnsweredLate, "{call}", "Calls that timed out, could not be cancelled, and ended later.");
        _meter.CreateObservableUpDownCounter("scalable_timers.calls.abandoned", () => timers.GetCallTimeouts().Abandoned, "{call}", "Calls that timed out and have not ended.");
        _meter.CreateObservableCounter("scalable_timers.calls.ignored", () => timers.GetCallTimeouts().Ignored, "{call}", "Calls with a timeout that was none: of another type, zero or negative.");
    }

    public void Dispose()
    {
        // A factory owns the meters that it makes.
        if (_isOwned)
        {
            _meter.Dispose();
        }
    }
}
