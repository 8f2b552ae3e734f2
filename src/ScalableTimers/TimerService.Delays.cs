using ScalableTimers.Clock;
using ScalableTimers.Queues;
using ScalableTimers.Timers;

namespace ScalableTimers;

/// <content>Delays.</content>
public sealed partial class TimerService
{
    /// <summary>Waits for a duration.</summary>
    /// <param name="dueTime">The minimum wait. Zero completes at once; infinite waits until cancelled.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that completes when the time has passed. Await it only once.</returns>
    /// <remarks>
    /// Allocates nothing in a steady state, except the exception of a cancelled delay. After a cancellation the
    /// awaiting code resumes on the pool, or in its context, never inside <c>Cancel</c>.
    /// </remarks>
    /// <example>
    /// <code>
    /// while (!await TrySend(message))
    /// {
    ///     await timers.Delay(TimeSpan.FromSeconds(1), cancellationToken);
    /// }
    /// </code>
    /// </example>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">
    /// The token was cancelled, or the service was stopped. The exception carries the token only in the first case.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        Delay(dueTime, DelayOptions.None, cancellationToken, scope: default);

    /// <summary>Waits for a duration, and reports whether it passed. Allocates nothing in a steady state.</summary>
    /// <param name="dueTime">The minimum wait. Zero completes at once; infinite waits until cancelled.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>True when the time has passed, false when cancelled or stopped. Await the task only once.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ValueTask<bool> TryDelay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        TryDelay(dueTime, cancellationToken, scope: default);

    /// <summary>Starts a delay that either token ends. The observer is notified if the delay has to wait.</summary>
    internal ValueTask Delay(
        TimeSpan dueTime,
        DelayOptions options,
        CancellationToken cancellationToken,
        CancellationToken scope,
        DelayObserver? observer = null)
    {
        dueTime = DueTime.Normalize(dueTime);
        if (cancellationToken.IsCancellationRequested || scope.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken.IsCancellationRequested ? cancellationToken : scope);
        }

        if (dueTime == TimeSpan.Zero && !DelayEntry.EndsWith(_queues.Phase, options))
        {
            return default;
        }

        return StartDelay(dueTime, options, cancellationToken, scope, observer).AsValueTask();
    }

    /// <summary>Starts a delay that reports whether the time has passed before either token ended it.</summary>
    internal ValueTask<bool> TryDelay(
        TimeSpan dueTime, CancellationToken cancellationToken, CancellationToken scope, DelayObserver? observer = null)
    {
        dueTime = DueTime.Normalize(dueTime);
        if (cancellationToken.IsCancellationRequested || scope.IsCancellationRequested)
        {
            return new ValueTask<bool>(false);
        }

        if (dueTime == TimeSpan.Zero && _queues.Phase == ServicePhase.Running)
        {
            return new ValueTask<bool>(true);
        }

        return StartDelay(dueTime, DelayOptions.ReportCancellation, cancellationToken, scope, observer)
            .AsValueTaskOfBool();
    }

    /// <summary>Starts a delay for a caller that reads its result once.</summary>
    internal DelayEntry StartDelay(
        TimeSpan dueTime,
        DelayOptions options,
        CancellationToken cancellationToken,
        CancellationToken scope,
        DelayObserver? observer = null) =>
        DelayEntry.Begin(QueueRegistry.Current(_queues), dueTime, options, cancellationToken, scope, observer);
}
