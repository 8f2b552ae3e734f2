using Microsoft.Extensions.Logging;
using ScalableTimers;
using ScalableTimers.Firing;

namespace Orleans.Timers.Scalable;

/// <summary>Serves the timers of Orleans' static manager in its place, from the takeover to the return.</summary>
/// <remarks>
/// <para>
/// The takeover stops the manager's own timer and waits for two of its periods, so that a look which has begun ends. What may
/// remain of one that takes longer is a walk along the timers it found expired; it ends at the first whose link is cut, and to end
/// a timer twice does nothing. A thread that registers a timer serves its own list only after three missed looks, and no look is
/// counted as missed any more.
/// </para>
/// <para>
/// All of it happens on one thread: it takes over, moves new timers to the wheel, and on its way out, whatever the reason, returns
/// all timers to the manager and starts the manager's own timer again.
/// </para>
/// </remarks>
internal sealed partial class TimerAdoption : IDisposable
{
    private readonly TimerService _service = new();
    private readonly ILogger _logger;
    private readonly object _pause = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isStopping;

    internal TimerAdoption(StaticTimerManager manager, ILogger logger)
    {
        Manager = manager;
        _logger = new NonThrowingLogger(logger);
        Timers = new AdoptedTimers(manager, _service);
    }

    /// <summary>Completes when the manager works by itself again.</summary>
    internal Task Ended => _ended.Task;

    internal StaticTimerManager Manager { get; }

    internal AdoptedTimers Timers { get; }

    /// <summary>Begins the takeover.</summary>
    /// <param name="after">What has to end first: the return of an earlier takeover.</param>
    internal void Start(Task after)
    {
        var thread = new Thread(() => Run(after)) { IsBackground = true, Name = "Orleans.Timers.Scalable adoption" };
        thread.UnsafeStart();
    }

    /// <summary>Begins the return, and waits for nothing.</summary>
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
#pragma warning disable CA1031 // Whatever happens, Orleans gets its timers back.
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
        while (!Pause(pace.Next(AdoptNew())))
        {
        }
    }

    /// <summary>Ends the service. For after the return, when no timer waits in it.</summary>
    public void Dispose() => _service.Dispose();

    /// <summary>Waits for a duration, or until stopped, which it returns.</summary>
    private bool Pause(TimeSpan duration)
    {
        lock (_pause)
        {
            return _isStopping || (Monitor.Wait(_pause, duration) && _isStopping);
        }
    }

    private bool AdoptNew()
    {
        var hasFound = false;
        foreach (var queue in Manager.Queues())
        {
            // One that is locked is being added to, and will be looked at in the next round.
            if (queue is null || !Manager.HasTimers(queue) || !Manager.TryLock(queue))
            {
                continue;
            }

            object? chain;
            try
            {
                chain = Manager.Detach(queue);
            }
            finally
            {
                Manager.Unlock(queue);
            }

            hasFound = true;
            Timers.Adopt(chain);
        }

        return hasFound;
    }

    private void Return()
    {
        try
        {
            var returned = Timers.GiveBack();
            LogReturned(_logger, returned, Timers.Adopted);
        }
#pragma warning disable CA1031 // The manager's timer has to run again in any case.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            LogFailed(_logger, exception);
        }

        Manager.Checker().Change(Manager.Period, Manager.Period);
        _ended.SetResult();
    }
}
