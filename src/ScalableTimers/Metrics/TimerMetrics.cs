using System.Diagnostics.Metrics;

namespace ScalableTimers.Metrics;

/// <summary>Publishes a service's figures. The figures are read when a listener asks for them.</summary>
internal static class TimerMetrics
{
    internal const string MeterName = "ScalableTimers";

    internal static Publication<TimerService> Publish(TimerService service, IMeterFactory? factory) =>
        new(service, MeterName, factory, Make);

    private static void Make(MeterInstruments<TimerService> instruments)
    {
        instruments.AddUpDownCounter(
            "scalable_timers.pending",
            static service => Measure(service, static figures => figures.Pending),
            "{timer}",
            "Timers that are scheduled and have neither expired nor been cancelled.");
        instruments.AddCounter(
            "scalable_timers.scheduled",
            static service => Measure(service, static figures => figures.Scheduled),
            "{timer}",
            "Timers scheduled. Each rescheduling and each period counts too.");
        instruments.AddCounter(
            "scalable_timers.fired",
            static service => Measure(service, static figures => figures.Fired),
            "{timer}",
            "Callbacks run and delays completed by their due time.");
        instruments.AddCounter(
            "scalable_timers.cancelled",
            static service => Measure(service, static figures => figures.Cancelled),
            "{timer}",
            "Timers cancelled before they expired.");
        instruments.AddCounter(
            "scalable_timers.skipped",
            static service => Measure(service, static figures => figures.Skipped),
            "{firing}",
            "Firings of periodic timers skipped, because the callback was still running or a later one was due.");
        instruments.AddCounter(
            "scalable_timers.late",
            static service => Measure(service, static figures => figures.Late),
            "{timer}",
            "Timers that waited half a second or longer for a pool thread.");
        instruments.AddUpDownCounter(
            "scalable_timers.timeout_tokens",
            static service => Measure(service, static figures => (long)figures.TimeoutTokens),
            "{token}",
            "Shared timeout tokens whose time has not come.");
        instruments.AddCounter(
            "scalable_timers.failed_registrations",
            static service => Measure(service, static figures => figures.FailedRegistrations),
            "{registration}",
            "Callbacks registered with tokens of timeouts that threw an exception.");
        instruments.AddGauge(
            "scalable_timers.lateness.max",
            static service => Measure(service, static figures => figures.LongestDriverLag.TotalSeconds),
            "s",
            "The longest time between a timer's deadline and the moment when the driver took it out.");
    }

    private static IEnumerable<Measurement<T>> Measure<T>(TimerService service, Func<TimerServiceSnapshot, T> figure)
        where T : struct => [new Measurement<T>(figure(service.GetSnapshot()))];
}
