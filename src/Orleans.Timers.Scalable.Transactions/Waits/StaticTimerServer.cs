using Microsoft.Extensions.Logging;
using ScalableTimers;
using ScalableTimers.Firing;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>Serves Orleans' static timers in place of their manager, from the takeover to the return.</summary>
/// <remarks>
/// <para>
/// The takeover stops the manager's own timer and waits two of its periods, so that a scan in progress ends. A scan
/// that takes longer may still walk along the timers that it found expired. It stops at the first timer whose link is
/// cut, and ending a timer twice does nothing. A thread that registers a timer scans its own list only after three
/// missed scans, and no scan counts as missed any more.
/// </para>
/// <para>
/// One thread does all of this. It takes over and moves new timers to the wheel. When it ends, for any reason, it gives
/// all timers back to the manager and restarts the manager's own timer.
/// </para>
/// </remarks>
internal sealed partial class StaticTimerServer : IDisposable
{
    /// <summary>The name of the timer service, which belongs to the process, not to a silo.</summary>
    internal const string ServiceName = "static";

    private readonly TimerService _service = new(new TimerServiceOptions { Name = ServiceName });
    private readonly ILogger _logger;
    private readonly ServedTimerLists _lists;
    private readonly object _pause = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isStopping;

    internal StaticTimerServer(StaticTimerManager manager, ILogger logger)
    {
        Manager = manager;
        _logger = new NonThrowingLogger(logger);
        Timers = new ServedTimers(manager, _service);
        _lists = new ServedTimerLists(manager, Timers);
    }

    /// <summary>Completes when the manager serves its timers itself again.</summary>
    internal Task Ended => _ended.Task;

    internal StaticTimerManager Manager { get; }

    internal ServedTimers Timers { get; }

    /// <summary>Begins the takeover.</summary>
    /// <param name="after">The return of an earlier takeover, which must complete first.</param>
    internal void Start(Task after)
    {
        var thread = new Thread(() => Run(after))
        {
            IsBackground = true,
            Name = "Orleans.Timers.Scalable static timers",
        };
        thread.UnsafeStart();
    }

    /// <summary>Begins the return without waiting for it.</summary>
    internal void Stop()
    {
        lock (_pause)
        {
            _isStopping = true;
            Monitor.Pulse(_pause);
        }
    }

    private void Run(Task after)
    {
        after.Wait();
        try
        {
            TakeOver();
        }
#pragma warning disable CA1031 // After any failure, Orleans gets its timers back.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            LogFailed(_logger, exception);
        }

        Return();
    }

    private void TakeOver()
    {
        if (!Manager.Checker().Change(Timeout.Infinite, Timeout.Infinite))
        {
            throw new InvalidOperationException("The timer of Orleans' static timer manager has been disposed.");
        }

        Pause(2 * Manager.Period);
        LogTakenOver(_logger);
        var pace = new PollingPace(Manager.Period);
        while (!Pause(pace.Next(_lists.ServeNew())))
        {
        }
    }

    /// <summary>Disposes the timer service. Call it after the return, when no timer waits there.</summary>
    public void Dispose() => _service.Dispose();

    /// <summary>Waits for a duration or until stopped. Returns whether it was stopped.</summary>
    private bool Pause(TimeSpan duration)
    {
        lock (_pause)
        {
            return _isStopping || (Monitor.Wait(_pause, duration) && _isStopping);
        }
    }

    private void Return()
    {
        try
        {
            var returned = Timers.GiveBack();
            LogReturned(_logger, Timers.Served, Timers.Dropped, returned);
        }
#pragma warning disable CA1031 // The manager's timer must run again in any case.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            LogFailed(_logger, exception);
        }

        Manager.Checker().Change(Manager.Period, Manager.Period);
        _ended.SetResult();
    }

    [LoggerMessage(1, LogLevel.Debug, "Scalable timers serve Orleans' static timers, for the whole process.")]
    private static partial void LogTakenOver(ILogger logger);

    [LoggerMessage(
        2,
        LogLevel.Information,
        "Orleans serves its static timers itself again. Of the {Served} timers that were served, {Dropped} were "
            + "dropped as superseded, and {Returned} were still pending and were given back to Orleans.")]
    private static partial void LogReturned(ILogger logger, long served, long dropped, int returned);

    [LoggerMessage(3, LogLevel.Error, "Serving Orleans' static timers failed. Orleans serves them itself again.")]
    private static partial void LogFailed(ILogger logger, Exception exception);
}
