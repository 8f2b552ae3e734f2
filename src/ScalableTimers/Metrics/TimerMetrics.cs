using System.Diagnostics.Metrics;

namespace ScalableTimers.Metrics;

/// <summary>Publishes a service's figures. The figures are read when a listener asks for them.</summary>
internal static class TimerMetrics
{
    internal const string MeterName = "ScalableTimers";

    /// <summary>The tag whose value is the service's name.</summary>
    internal const string Tag = "service";

    internal static Publication<TimerService> Publish(TimerService service, IMeterFactory? factory) =>
        new(service, MeterName, factory, Make);

    private static void Make(MeterInstruments<TimerService> instruments)
    {
        instruments.AddUpDownCounter(
            "scalable_timers.pending",
            static service => Measure(service, static figures => figures.Pending),
            "{timer}",
            "Timers that are scheduled and have neither expired nor been cancelled.",
            Sum);
        AddCounter(
            "scalable_timers.scheduled",
            static figures => figures.Scheduled,
            "{timer}",
            "Timers scheduled. Each rescheduling and each period counts too.");
        AddCounter(
            "scalable_timers.fired",
            static figures => figures.Fired,
            "{timer}",
            "Callbacks run and delays completed by their due time.");
        AddCounter(
            "scalable_timers.cancelled",
            static figures => figures.Cancelled,
            "{timer}",
            "Timers cancelled before they expired.");
        AddCounter(
            "scalable_timers.skipped",
            static figures => figures.Skipped,
            "{firing}",
            "Firings of periodic timers skipped, because the callback was still running or a later one was due.");
        AddCounter(
            "scalable_timers.late",
            static figures => figures.Late,
            "{timer}",
            "Timers that waited half a second or longer for a pool thread.");
        instruments.AddUpDownCounter(
            "scalable_timers.timeout_tokens",
            static service => Measure(service, static figures => (long)figures.TimeoutTokens),
            "{token}",
            "Shared timeout tokens whose time has not come.",
            Sum);
        AddCounter(
            "scalable_timers.failed_registrations",
            static figures => figures.FailedRegistrations,
            "{registration}",
            "Callbacks registered with tokens of timeouts that threw an exception.");
        instruments.AddGauge(
            "scalable_timers.lateness.max",
            static service => Measure(service, static figures => figures.LongestDriverLag.TotalSeconds),
            "s",
            "The longest time between a timer's deadline and the moment when the driver took it out.",
            double.Max);

        void AddCounter(string name, Func<TimerServiceSnapshot, long> figure, string unit, string description) =>
            instruments.AddCounter(name, service => Measure(service, figure), unit, description, Sum);
    }

    private static long Sum(long one, long other) => one + other;

    private static IEnumerable<Measurement<T>> Measure<T>(TimerService service, Func<TimerServiceSnapshot, T> figure)
        where T : struct =>
            [new Measurement<T>(figure(service.GetSnapshot()), new KeyValuePair<string, object?>(Tag, service.Name))];
}
