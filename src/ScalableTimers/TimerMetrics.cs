using System.Diagnostics;
using System.Diagnostics.Metrics;
using ScalableTimers.Metrics;

namespace ScalableTimers;

/// <summary>Publishes a service's figures. The figures are read when a listener asks for them.</summary>
internal static class TimerMetrics
{
    internal const string MeterName = "ScalableTimers";

    /// <summary>In seconds. A tick is at least 1 millisecond.</summary>
    private static readonly double[] s_latenessBoundaries =
        [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

    private static readonly Meter s_ownMeter = new(MeterName);

    private static long s_lastId;

    internal static Publication<TimerService> Publish(TimerService service, IMeterFactory? factory)
    {
        var meter = factory?.Create(new MeterOptions(MeterName)) ?? s_ownMeter;

        // The meter returns the same histogram to every service.
        var lateness = meter.CreateHistogram(
            "scalable_timers.lateness",
            "s",
            "How late timers fire: from a timer's deadline until its callback begins (sampled).",
            tags: null,
            new InstrumentAdvice<double> { HistogramBucketBoundaries = s_latenessBoundaries });
        service.Dispatcher.Watch.MeasureLateness(lateness, new TagList(service.Tags));
        return new Publication<TimerService>(service, meter, Make);
    }

    /// <summary>The tags of a new service: its name, and a number that tells it from others with that name.</summary>
    internal static KeyValuePair<string, object?>[] NewTags(string name) =>
        [new("service", name), new("id", Interlocked.Increment(ref s_lastId))];

    private static void Make(MeterInstruments<TimerService> instruments)
    {
        instruments.AddUpDownCounter(
            "scalable_timers.pending",
            static service => Measure(service, static figures => figures.Pending),
            "{timer}",
            "Timers that are scheduled and have neither expired nor been cancelled.");
        AddCounter(
            "scalable_timers.scheduled",
            static figures => figures.Scheduled,
            "{timer}",
            "Timers scheduled. Each period counts too, but not moving a pending timer.");
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
            "scalable_timers.failed",
            static figures => figures.Failed,
            "{callback}",
            "Callbacks that threw an exception, including those registered with a timeout token.");
        AddCounter(
            "scalable_timers.late",
            static figures => figures.Late,
            "{timer}",
            "Timers that waited half a second or longer for a pool thread.");
        instruments.AddUpDownCounter(
            "scalable_timers.timeout_tokens",
            static service => Measure(service, static figures => figures.TimeoutTokens),
            "{token}",
            "Shared timeout tokens that are not yet cancelled.");

        void AddCounter(string name, Func<TimerServiceSnapshot, long> figure, string unit, string description) =>
            instruments.AddCounter(name, service => Measure(service, figure), unit, description);
    }

    private static IEnumerable<Measurement<long>> Measure(
        TimerService service, Func<TimerServiceSnapshot, long> figure) =>
        [new Measurement<long>(figure(service.GetSnapshot()), service.Tags)];
}
