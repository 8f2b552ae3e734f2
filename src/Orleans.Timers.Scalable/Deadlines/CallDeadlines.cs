using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>What the two call filters of a silo or client share.</summary>
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
        Counts = new DeadlineCounts(meterFactory);
        _keepsSystemTime = ReferenceEquals(KeyedClocks.ServiceClock(services), TimeProvider.System);

        // Messages live by the system's time, which is nothing to a test's.
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

    /// <summary>What a request without a deadline holds. It tells a test's time to the deadlines that begin in it; the system's is told by nothing.</summary>
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
