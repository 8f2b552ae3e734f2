using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;

namespace Orleans.Timers.Scalable.GrainTimers;

/// <summary>Measures the ticks of a silo's grain timers, by type of grain.</summary>
internal sealed partial class GrainTimerMetrics
{
    internal const string LatenessName = "scalable_timers.grain_timer.lateness";
    internal const string DurationName = "scalable_timers.grain_timer.duration";
    internal const string OverrunsName = "scalable_timers.grain_timer.overruns";
    internal const string CancelledName = "scalable_timers.grain_timer.cancelled";

    /// <summary>In seconds.</summary>
    private static readonly double[] s_boundaries =
        [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

    private readonly Histogram<double> _lateness;
    private readonly Histogram<double> _durations;
    private readonly Counter<long> _overruns;
    private readonly Counter<long> _cancelled;
    private readonly ConcurrentDictionary<GrainType, string> _types = new();
    private readonly KeyValuePair<string, object?> _silo;
    private readonly ILogger _logger;

    public GrainTimerMetrics(
        TimerService timers,
        IOptions<GrainTimerOptions> options,
        IMeterFactory meters,
        ILocalSiloDetails silo,
        ILogger<GrainTimerMetrics> logger)
    {
        Timers = timers;
        MaxTickDuration = options.Value.MaxTickDuration;
        _logger = logger;
        _silo = PluginMeter.Silo(silo.Name);
        var meter = PluginMeter.Create(meters);
        var advice = new InstrumentAdvice<double> { HistogramBucketBoundaries = s_boundaries };
        _lateness = meter.CreateHistogram(
            LatenessName, "s", "How late a tick of a timer began to run in its grain.", tags: null, advice);
        _durations = meter.CreateHistogram(
            DurationName, "s", "How long a tick of a timer took, to the end of its callback.", tags: null, advice);
        _overruns = meter.CreateCounter<long>(
            OverrunsName, "{tick}", "Ticks that ran for several of their timers' periods.");
        _cancelled = meter.CreateCounter<long>(
            CancelledName, "{tick}", "Ticks that ran for so long that their tokens were cancelled.");
    }

    internal TimerService Timers { get; }

    internal TimeSpan? MaxTickDuration { get; }

    internal long Now => Timers.TimeProvider.GetTimestamp();

    internal TimeSpan Since(long begun) => Timers.TimeProvider.GetElapsedTime(begun);

    internal void WasLate(IGrainContext grain, TimeSpan lateness) =>
        _lateness.Record(double.Max(0, lateness.TotalSeconds), Type(grain), _silo);

    internal void Took(IGrainContext grain, TimeSpan duration) =>
        _durations.Record(duration.TotalSeconds, Type(grain), _silo);

    internal void Overran(IGrainContext grain, TimeSpan elapsed, TimeSpan period)
    {
        _overruns.Add(1, Type(grain), _silo);
        LogOverrun(_logger, grain.GrainId, elapsed, period);
    }

    /// <summary>Cancels the token of a tick. Its callbacks run on the pool.</summary>
    internal void Cancel(IGrainContext grain, TimeSpan elapsed, CancellationTokenSource source)
    {
        _cancelled.Add(1, Type(grain), _silo);
        LogCancelled(_logger, grain.GrainId, elapsed);
        _ = source.CancelAsync().ContinueWith(
            static (callbacks, logger) => LogCallbacksFailed((ILogger)logger!, callbacks.Exception!),
            _logger,
            CancellationToken.None,
            TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
    }

    // A silo has few types of grains, and making the name of one takes memory.
    private KeyValuePair<string, object?> Type(IGrainContext grain) =>
        new("grain_type", _types.GetOrAdd(grain.GrainId.Type, static type => $"{type}"));

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "A tick of a timer of grain {GrainId} has run for {Elapsed}, and its period is {Period}. The timer does not "
            + "tick again before this tick has ended.")]
    private static partial void LogOverrun(ILogger logger, GrainId grainId, TimeSpan elapsed, TimeSpan period);

    [LoggerMessage(
        2,
        LogLevel.Warning,
        "A tick of a timer of grain {GrainId} has run for {Elapsed}, which is the longest that it may, so its token is "
            + "cancelled.")]
    private static partial void LogCancelled(ILogger logger, GrainId grainId, TimeSpan elapsed);

    [LoggerMessage(
        3, LogLevel.Error, "A callback that was registered with the token of a grain timer's tick threw an exception.")]
    private static partial void LogCallbacksFailed(ILogger logger, Exception exception);
}
