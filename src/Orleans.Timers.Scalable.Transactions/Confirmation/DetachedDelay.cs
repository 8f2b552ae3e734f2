using ScalableTimers;
using Tasks = System.Threading.Tasks.Task;

namespace Orleans.Timers.Scalable.Transactions.Confirmation;

/// <summary>
/// A delay as a task that outlives the service. The result is true if the time has passed, false if cancelled.
/// </summary>
/// <remarks>Except in virtual time, continuations do not run on the stack of the thread that ends the delay.</remarks>
internal sealed class DetachedDelay : TaskCompletionSource<bool>
{
    // Guards
    //   _timer          the thread that begins the delay, before it registers with the token
    //   _registration   the same thread, before it checks whether the delay has ended; then the thread that ended it
    private ScheduledTimer _timer;
    private CancellationTokenRegistration _registration;

    private DetachedDelay(bool runsInOrder)
        : base(runsInOrder ? TaskCreationOptions.None : TaskCreationOptions.RunContinuationsAsynchronously)
    {
    }

    /// <param name="timers">The service, which may have been disposed.</param>
    /// <param name="dueTime">Positive and not infinite.</param>
    /// <param name="token">Ends the delay.</param>
    internal static Task<bool> Begin(TimerService timers, TimeSpan dueTime, CancellationToken token)
    {
        if (token.IsCancellationRequested)
        {
            return Tasks.FromResult(false);
        }

        var delay = new DetachedDelay(timers.FiresInOrder);
        delay._timer = timers.ScheduleToOutlive(static delay => ((DetachedDelay)delay!).Elapse(), delay, dueTime);
        if (token.CanBeCanceled)
        {
            delay.Register(token);
        }

        return delay.Task;
    }

    private void Register(CancellationToken token)
    {
        _registration = token.UnsafeRegister(static delay => ((DetachedDelay)delay!).Cancel(), this);

        // Elapse ends the delay, then unregisters what it finds. At least one of the two threads unregisters it.
        Interlocked.MemoryBarrier();
        if (Task.IsCompleted)
        {
            _registration.Unregister();
        }
    }

    private void Elapse()
    {
        // Completing a task is a full fence.
        TrySetResult(true);
        _registration.Unregister();
    }

    private void Cancel()
    {
        if (_timer.Cancel())
        {
            TrySetResult(false);
        }
    }
}
