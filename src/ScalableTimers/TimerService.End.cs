using ScalableTimers.Queues;

namespace ScalableTimers;

/// <content>What the service has done and has pending, and its end.</content>
public sealed partial class TimerService
{
    /// <summary>The first step of stopping: ends every delay. Everything else continues.</summary>
    /// <param name="cancellationToken">Ends the call before all delays have ended. It can be repeated.</param>
    /// <returns>
    /// A task that completes when every pending delay has ended: <see cref="Delay(TimeSpan, CancellationToken)"/> with
    /// an <see cref="OperationCanceledException"/>, <see cref="TryDelay(TimeSpan, CancellationToken)"/> with false.
    /// </returns>
    /// <remarks>
    /// Code that awaits the delays resumes on the pool; in virtual time, within this call. A later delay takes its
    /// time, at most a second, and then ends in the same way, so that a loop which catches every exception does not
    /// become a hot one.
    /// This method may be called more than once, and after <see cref="Dispose"/>.
    /// </remarks>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task StopAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return Task.FromCanceled(cancellationToken);
        }

        // Nothing is done twice if this is repeated, or if several threads do it.
        try
        {
            _queues.Enter(ServicePhase.Stopping, cancellationToken);
            return Task.CompletedTask;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return Task.FromCanceled(cancellationToken);
        }
    }

    /// <summary>Gets figures on what the service has done so far.</summary>
    /// <returns>The figures, read one after another. Each is exact except for calls in progress.</returns>
    public TimerServiceSnapshot GetSnapshot()
    {
        // Read before the queues: a timer fires only after its queue has counted it as expired. So no timer is in two
        // figures, and the figures add up.
        var fired = Dispatcher.Fired;
        var counts = default(QueueCounts);
        var queues = _queues.All;
        foreach (var queue in queues)
        {
            counts.Add(queue.Count());
        }

        return new TimerServiceSnapshot
        {
            Pending = counts.Pending,
            Scheduled = counts.Scheduled,
            Fired = fired,
            Cancelled = counts.Cancelled,
            Skipped = counts.Skipped,
            Dropped = counts.Dropped,
            Failed = Dispatcher.Failed,
            Late = Dispatcher.Watch.Late,
            DriverWakeUps = Driver.WakeUps,
            Queues = queues.Length,
            TimeoutTokens = _timeoutTokens.Count,
            IsVirtualTime = !ReferenceEquals(Clock.Provider, System.TimeProvider.System),
        };
    }

    /// <summary>Lists pending timers: what they are, when they are due, and what they call.</summary>
    /// <param name="maxCount">The maximum number of timers to list; positive.</param>
    /// <returns>The timers, in no particular order. If there are more, all threads get an equal share.</returns>
    /// <remarks>
    /// The cost grows with the timers listed. While those of one thread are read, that thread's calls wait.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxCount"/> is not positive.</exception>
    public IReadOnlyList<PendingTimer> GetPending(int maxCount)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(maxCount);
        return PendingTimerReader.Read(_queues.All, Clock, maxCount);
    }

    /// <summary>Ends the service without waiting. May be called from a callback.</summary>
    /// <remarks>
    /// Delays end as with <see cref="StopAsync"/>. For other timers, see the remarks of the class. Called from a
    /// callback, it does not stop those that expired together with it.
    /// </remarks>
    public void Dispose()
    {
        // Nothing is done twice if this is repeated, after it was interrupted for example, or if several threads do it.
        try
        {
            _queues.Enter(ServicePhase.Disposed);
        }
        finally
        {
            _metrics.Dispose();
            Driver.RunOut();
            if (IsOfAContainer)
            {
                _logger?.LetGo();
            }
        }
    }

    /// <summary>Ends the service as <see cref="Dispose"/> does, then waits for running callbacks.</summary>
    /// <returns>
    /// A task that completes when no callback of <c>Schedule</c> or <c>CreatePeriodicTimer</c> runs, except those that
    /// call this method. It does not wait for code after a delay, for timers of <see cref="TimeProvider"/> or for what
    /// a token's cancellation runs. While all pool threads are busy, it may wait for one even though no callback runs,
    /// because a work item of the service is still queued. A service that a container has made waits for nothing.
    /// </returns>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return IsOfAContainer ? default : new ValueTask(Dispatcher.Workers.WaitForOthersAsync());
    }
}
