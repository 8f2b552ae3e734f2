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
        Delay(dueTime, DelayOptions.None, scope: null, cancellationToken);

    /// <summary>Waits for a duration, and reports whether it passed. Allocates nothing in a steady state.</summary>
    /// <param name="dueTime">The minimum wait. Zero completes at once; infinite waits until cancelled.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>True when the time has passed, false when cancelled or stopped. Await the task only once.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The duration is negative and not infinite.</exception>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    public ValueTask<bool> TryDelay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        TryDelay(dueTime, scope: null, cancellationToken);

    /// <summary>Starts a delay in a scope, which is told of it if the delay has to wait.</summary>
    internal ValueTask Delay(
        TimeSpan dueTime, DelayOptions options, DelayScope? scope, CancellationToken cancellationToken)
    {
        dueTime = DueTime.Normalize(dueTime);
        var cancelled = cancellationToken.IsCancellationRequested
            ? cancellationToken
            : DelayScope.TokenOf(scope, options);
        if (cancelled.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancelled);
        }

        if (dueTime == TimeSpan.Zero && !DelayEntry.EndsWith(_queues.Phase, options))
        {
            return default;
        }

        return StartDelay(dueTime, options, scope, cancellationToken).AsValueTask();
    }

    /// <summary>Starts a delay in a scope that reports whether the time has passed.</summary>
    internal ValueTask<bool> TryDelay(TimeSpan dueTime, DelayScope? scope, CancellationToken cancellationToken)
    {
        dueTime = DueTime.Normalize(dueTime);
        if (cancellationToken.IsCancellationRequested || scope is { Token.IsCancellationRequested: true })
        {
            return new ValueTask<bool>(false);
        }

        if (dueTime == TimeSpan.Zero && _queues.Phase == ServicePhase.Running)
        {
            return new ValueTask<bool>(true);
        }

        return StartDelay(dueTime, DelayOptions.ReportCancellation, scope, cancellationToken).AsValueTaskOfBool();
    }

    /// <summary>Starts a delay for a caller that reads its result once.</summary>
    internal DelayEntry StartDelay(
        TimeSpan dueTime, DelayOptions options, DelayScope? scope, CancellationToken cancellationToken) =>
        DelayEntry.Begin(QueueRegistry.Current(_queues), dueTime, options, scope, cancellationToken);
}
