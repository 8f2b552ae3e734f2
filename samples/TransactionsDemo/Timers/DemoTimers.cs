using System.Diagnostics;

namespace TransactionsDemo.Timers;

/// <summary>
/// The timers that a bank needs: delays to wait for, and limits that are nearly always cancelled. Each is measured.
/// </summary>
/// <remarks>
/// The measurement is taken here, in the same way for all kinds of timers: from immediately before the request to the
/// moment when the timer fires, by <see cref="Stopwatch"/>. So a timer that counts as early was early for the bank.
/// </remarks>
internal abstract class DemoTimers(TimerTally tally)
{
    /// <summary>Waits. The awaiter resumes on its own scheduler.</summary>
    public async ValueTask DelayAsync(TimeSpan dueTime)
    {
        tally.CountScheduled();
        var startedAt = Stopwatch.GetTimestamp();

        // The end is not measured on the awaiter's scheduler, where the queue of an account would hide an early timer.
        try
        {
            await WaitAsync(dueTime).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The grain is being deactivated, as some grains are when a silo has died.
            tally.CountCancelled();
            throw;
        }

        tally.CountFired(dueTime, Stopwatch.GetElapsedTime(startedAt));
    }

    /// <summary>Limits the time of an operation. Start it before other code can end it.</summary>
    public void Start(TimedOperation operation, TimeSpan dueTime)
    {
        operation.Begin(tally, dueTime);
        StartTimer(operation, dueTime);
    }

    /// <summary>Ends an operation.</summary>
    /// <returns>True if it ended in time. Then its timeout has not been called and will not be.</returns>
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
