using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>The state that the call filters of a silo or client share.</summary>
internal sealed class CallDeadlines : IDisposable
{
    public CallDeadlines(
        TimerService timers,
        IServiceProvider services,
        ILogger<CallDeadlines> logger,
        IMeterFactory? meterFactory = null)
    {
        Timers = timers;
        Counts = new DeadlineCounts(TimerServiceName.Host(services), meterFactory);
        if (KeyedClocks.KeepsSystemTime(services))
        {
            QueueTime = QueueTime.Of(services, logger);
            DeadlineTokens.Add(timers);
        }
        else
        {
            // Messages expire by the system's clock, which says nothing about a test's clock.
            QueueTime = QueueTime.Unknown;
            None = CallDeadline.None(timers);
        }
    }

    internal TimerService Timers { get; }

    internal QueueTime QueueTime { get; }

    internal DeadlineCounts Counts { get; }

    /// <summary>
    /// The bound of a request without a deadline. With a test's clock it passes that clock to the deadlines that begin
    /// in the request. With the system's clock it is null.
    /// </summary>
    internal CallDeadline? None { get; }

    public void Dispose()
    {
        // It has been added with the system's clock only.
        DeadlineTokens.Remove(Timers);
        Counts.Dispose();
    }
}
