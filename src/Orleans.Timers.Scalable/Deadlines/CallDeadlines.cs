using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>The state that the call filters of a silo or client share.</summary>
internal sealed class CallDeadlines : IDisposable
{
    private readonly bool _keepsSystemTime;

    public CallDeadlines(
        TimerService timers,
        IOptions<CallDeadlineOptions> options,
        IServiceProvider services,
        ILogger<CallDeadlines> logger,
        IMeterFactory? meterFactory = null)
    {
        Timers = timers;
        LongestBudget = options.Value.LongestBudget;
        Counts = new DeadlineCounts(TimerServiceName.Host(services), meterFactory);
        Diagnostics = services.GetService<CallDiagnostics>();
        _keepsSystemTime = KeyedClocks.KeepsSystemTime(services);

        // Messages expire by the system's clock, which says nothing about a test's clock.
        QueueTime = QueueTime.Of(services, options.Value.CountTimeInQueues && _keepsSystemTime, logger);
        if (_keepsSystemTime)
        {
            DeadlineTokens.Add(timers);
        }
        else
        {
            None = CallDeadline.None(timers);
        }
    }

    internal TimerService Timers { get; }

    internal TimeSpan LongestBudget { get; }

    internal QueueTime QueueTime { get; }

    internal DeadlineCounts Counts { get; }

    /// <summary>Explains refusals; null without <c>AddCallDiagnostics</c>.</summary>
    internal CallDiagnostics? Diagnostics { get; }

    /// <summary>
    /// The bound of a request without a deadline. With a test's clock it passes that clock to the deadlines that begin
    /// in the request. With the system's clock it is null.
    /// </summary>
    internal CallDeadline? None { get; }

    public void Dispose()
    {
        if (_keepsSystemTime)
        {
            DeadlineTokens.Remove(Timers);
        }

        Counts.Dispose();
    }
}
