using System.Diagnostics.Metrics;

namespace ScalableTimers.Metrics;

/// <summary>Publishes a service's figures. The figures are read when a listener asks for them.</summary>
internal static class TimerMetrics
{
    internal const string MeterName = "ScalableTimers";

    /// <summary>The tag whose value is the service's name.</summary>
    internal const string Tag = "service";

    internal const string Lateness = "scalable_timers.lateness";
    internal const string PoolWait = "scalable_timers.pool_wait";

    /// <summary>In seconds. A tick takes 1 millisecond at least.</summary>
    private static readonly double[] s_latenessBoundaries =
        [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

    /// <summary>In seconds. A pool with an idle thread takes some microseconds.</summary>
    private static readonly double[] s_poolWaitBoundaries =
    [
        0.000005, 0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
        0.25, 0.5, 1, 2.5, 5, 10, 30,
    ];

    internal static Publication<TimerService> Publish(TimerService service, IMeterFactory? factory)
    {
        var publication = new Publication<TimerService>(service, MeterName, factory, Make);
        service.Dispatcher.Lateness = new ServiceHistogram(publication.Instruments, Lateness, service.Name);
        service.Dispatcher.PoolWait = new ServiceHistogram(publication.Instruments, PoolWait, service.Name);
        return publication;
    }

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
            "scalable_timers.refused",
            static figures => figures.Refused,
            "{timer}",
            "Timers refused, because as many were pending as MaxPending allows.");
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
        instruments.AddHistogram(
            Lateness,
            "s",
            "How late timers fire: from a timer's deadline until its callback begins. A sample.",
            s_latenessBoundaries);
        instruments.AddHistogram(
            PoolWait,
            "s",
            "How long expired timers wait for a pool thread. One measurement for each thread that comes for a batch.",
            s_poolWaitBoundaries);

        void AddCounter(string name, Func<TimerServiceSnapshot, long> figure, string unit, string description) =>
            instruments.AddCounter(name, service => Measure(service, figure), unit, description, Sum);
    }

    private static long Sum(long one, long other) => one + other;

    private static IEnumerable<Measurement<T>> Measure<T>(TimerService service, Func<TimerServiceSnapshot, T> figure)
        where T : struct =>
            [new Measurement<T>(figure(service.GetSnapshot()), new KeyValuePair<string, object?>(Tag, service.Name))];
}
