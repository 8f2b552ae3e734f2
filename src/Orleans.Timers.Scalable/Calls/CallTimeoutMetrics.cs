using System.Diagnostics.Metrics;
using ScalableTimers;
using ScalableTimers.Metrics;

namespace Orleans.Timers.Scalable;

/// <summary>Publishes the outcomes of calls that timed out. The figures are read when a listener collects.</summary>
internal sealed class CallTimeoutMetrics : IDisposable
{
    private readonly Publication<CallTimeoutStatistics> _publication;

    public CallTimeoutMetrics(TimerService timers, IServiceProvider services, IMeterFactory? factory = null)
    {
        var statistics = CallTimeoutStatistics.Of(timers);
        statistics.Silo = TimerServiceName.Host(services);
        _publication = new Publication<CallTimeoutStatistics>(statistics, PluginMeter.Create(factory), Make);
    }

    public void Dispose() => _publication.Dispose();

    private static void Make(MeterInstruments<CallTimeoutStatistics> instruments)
    {
        instruments.AddCounter(
            "scalable_timers.calls.timed_out",
            static calls => Measure(calls, static figures => figures.TimedOut),
            "{call}",
            "Calls that were not answered within a timeout chosen at run time.");
        instruments.AddCounter(
            "scalable_timers.calls.cancelled",
            static calls => Measure(calls, static figures => figures.Cancelled),
            "{call}",
            "Calls that timed out and were cancelled.");
        instruments.AddCounter(
            "scalable_timers.calls.answered_late",
            static calls => Measure(calls, static figures => figures.AnsweredLate),
            "{call}",
            "Calls that timed out, could not be cancelled, and ended later.");
        instruments.AddUpDownCounter(
            "scalable_timers.calls.abandoned",
            static calls => Measure(calls, static figures => figures.Abandoned),
            "{call}",
            "Calls that timed out and have not ended.");
    }

    private static IEnumerable<Measurement<long>> Measure(
        CallTimeoutStatistics calls, Func<CallTimeoutSnapshot, long> figure) =>
        [new Measurement<long>(figure(calls.GetSnapshot()), PluginMeter.Silo(calls.Silo))];
}
