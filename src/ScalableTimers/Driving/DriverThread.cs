using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace ScalableTimers.Driving;

/// <summary>
/// A thread of the driver. It is started when it is needed. If the start fails, it is tried again later.
/// </summary>
/// <remarks>
/// A failed start is not tried again at each need, because it costs an exception and a driver may need the thread at
/// each tick.
/// </remarks>
internal sealed partial class DriverThread(ThreadStart run, TickClock clock, ILogger logger)
{
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(1);

    // Guards
    //   all fields   the threads that start the thread, one at a time
    private Thread? _thread;
    private long _tryAgainAt = long.MinValue;

    /// <summary>Starts the thread unless it has been started. Called by one thread at a time.</summary>
    /// <param name="supply">The source of threads.</param>
    /// <param name="warning">
    /// Logs a warning if the start has failed for the first time; otherwise null. The caller queues it to the pool,
    /// because a logger may block and the caller has to drive.
    /// </param>
    /// <returns>Whether the thread runs.</returns>
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
            // Each try uses a new object, because the runtime promises nothing for a thread object whose start has
            // failed.
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
        "The timer service could not start a thread. It tries again every second. Until then the thread pool does the "
        + "work of that thread, less accurately.")]
    private static partial void LogNotStarted(ILogger logger, Exception exception);

    private sealed class Warning(ILogger logger, Exception exception) : IThreadPoolWorkItem
    {
        void IThreadPoolWorkItem.Execute() => LogNotStarted(logger, exception);
    }
}
