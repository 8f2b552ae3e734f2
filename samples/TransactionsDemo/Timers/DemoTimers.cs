using System.Diagnostics;

namespace TransactionsDemo.Timers;

/// <summary>
/// All that a bank asks of timers: delays to wait for, and limits that are nearly always cancelled. Each is measured.
/// </summary>
/// <remarks>
/// Asked against got is taken here, around the timers of any kind: from just before the request to the moment the timer
/// fires, by <see cref="Stopwatch"/>, so a timer that is called early was early for the bank.
/// </remarks>
internal abstract class DemoTimers(TimerTally tally)
{
    /// <summary>Waits. The awaiter resumes on its own scheduler.</summary>
    public async ValueTask DelayAsync(TimeSpan dueTime)
    {
        tally.CountScheduled();
        var startedAt = Stopwatch.GetTimestamp();

        // Not on the awaiter's scheduler, where the queue of an account would hide that the timer fired early.
        try
        {
            await WaitAsync(dueTime).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Its grain is being deactivated, as some are when a silo has died.
            tally.CountCancelled();
            throw;
        }

        tally.CountFired(dueTime, Stopwatch.GetElapsedTime(startedAt));
    }

    /// <summary>Limits an operation to a time. Start it before anyone else can end it.</summary>
    public void Start(TimedOperation operation, TimeSpan dueTime)
    {
        operation.Begin(tally, dueTime);
        StartTimer(operation, dueTime);
    }

    /// <summary>Ends an operation.</summary>
    /// <returns>True if it ended in time: its timeout has not been and will not be called.</returns>
    public bool TryEndInTime(TimedOperation operation)
    {
        if (!operation.TryEndInTime())
        {
            return false;
        }

        CancelTimer(operation);
        return true;
    }

    protected abstract ValueTask WaitAsync(TimeSpan dueTime);

    protected abstract void StartTimer(TimedOperation operation, TimeSpan dueTime);

    protected abstract void CancelTimer(TimedOperation operation);
}
