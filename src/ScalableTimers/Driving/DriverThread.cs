using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace ScalableTimers.Driving;

/// <summary>A thread of the driver that is started when it is needed, and again later if it could not be.</summary>
/// <remarks>
/// Not each time that it is needed: a thread that cannot be started costs an exception, and a driver may need it at
/// each tick.
/// </remarks>
internal sealed partial class DriverThread(ThreadStart run, TickClock clock, ILogger logger)
{
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    // Guards
    //   all fields   the threads that start it, one at a time
    private Thread? _thread;
    private long _tryAgainAt = long.MinValue;

    /// <summary>Starts the thread unless it has been started. Called by one thread at a time.</summary>
    /// <param name="supply">Where threads come from.</param>
    /// <param name="warning">
    /// What logs, when it has failed for the first time. For the pool: a logger may block, and somebody has to drive.
    /// </param>
    /// <returns>Whether it runs.</returns>
    internal bool TryStart(ThreadSupply supply, out IThreadPoolWorkItem? warning)
    {
        warning = null;
        if (_thread is not null)
        {
            return true;
        }

        var now = clock.Now();
        if (now < _tryAgainAt)
        {
            return false;
        }

        try
        {
            // A new object each time: the runtime promises nothing for one whose start has failed.
            _thread = new Thread(run) { IsBackground = true, Name = "ScalableTimers driver" };
            supply.Start(_thread);
            return true;
        }
        catch (Exception exception) when (ThreadSupply.IsExhaustion(exception))
        {
            _thread = null;
            warning = _tryAgainAt == long.MinValue ? new Warning(logger, exception) : null;
            _tryAgainAt = now + clock.ToTimestampDuration(s_pause);
            return false;
        }
    }

    [LoggerMessage(
        3,
        LogLevel.Warning,
        "A thread of the timer service could not be started. The thread pool does its work, less accurately, until it "
        + "can be; it is tried again each second.")]
    private static partial void LogNotStarted(ILogger logger, Exception exception);

    private sealed class Warning(ILogger logger, Exception exception) : IThreadPoolWorkItem
    {
        void IThreadPoolWorkItem.Execute() => LogNotStarted(logger, exception);
    }
}
