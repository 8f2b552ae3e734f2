using System.Diagnostics.Metrics;

namespace ScalableTimers;

/// <summary>Publishes a service's figures; they are taken when a listener asks.</summary>
internal sealed class TimerMetrics : IDisposable
{
    internal const string MeterName = "ScalableTimers";

    private readonly Meter _meter;
    private readonly bool _isOwned;

    public TimerMetrics(TimerService service, IMeterFactory? factory)
    {
        _isOwned = factory is null;
        _meter = factory?.Create(new MeterOptions(MeterName)) ?? new Meter(MeterName);
        _meter.CreateObservableUpDownCounter("scalable_timers.pending", () => service.GetSnapshot().Pending, "{timer}", "Timers that are scheduled and have neither expired nor been cancelled.");
        _meter.CreateObservableCounter("scalable_timers.scheduled", () => service.GetSnapshot().Scheduled, "{timer}", "Timers scheduled, reschedulings and periods counted.");
        _meter.CreateObservableCounter("scalable_timers.fired", () => service.GetSnapshot().Fired, "{timer}", "Callbacks run and delays completed by their due time.");
        _meter.CreateObservableCounter("scalable_timers.cancelled", () => service.GetSnapshot().Cancelled, "{timer}", "Timers cancelled before they expired.");
        _meter.CreateObservableCounter("scalable_timers.skipped", () => service.GetSnapshot().Skipped, "{firing}", "Firings of periodic timers left out because the callback was still running or a later one had come.");
        _meter.CreateObservableCounter("scalable_timers.late", () => service.GetSnapshot().Late, "{timer}", "Timers that waited half a second or longer for a pool thread.");
        _meter.CreateObservableUpDownCounter("scalable_timers.timeout_tokens", () => (long)service.GetSnapshot().TimeoutTokens, "{token}", "Shared timeout tokens whose time has not come.");
        _meter.CreateObservableCounter("scalable_timers.failed_registrations", () => service.GetSnapshot().FailedRegistrations, "{registration}", "Registrations with tokens of timeouts that threw.");
        _meter.CreateObservableGauge("scalable_timers.lateness.max", () => service.GetSnapshot().LongestDriverLag.TotalSeconds, "s", "The longest time by which the driver took a timer out after its deadline.");
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
