using Orleans.Timers.Scalable.Calls;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>Response timeouts chosen at run time, for a single call.</summary>
/// <remarks>
/// <para>
/// If a call is not answered in time, its caller gets a <see cref="TimeoutException"/>, as from Orleans' own response
/// timeout. The latter still applies, so a longer value changes nothing. A call that has already begun is then
/// abandoned: the callee continues, its answer is dropped, and Orleans keeps the call in its table until the answer
/// comes, or until its own response timeout. A call that takes the token of the overloads with a function is cancelled:
/// Orleans forgets it at once and signals the token that the callee sees.
/// </para>
/// <para>
/// <b>Transactions.</b> When a call times out inside a transaction, the transaction aborts, whether or not the
/// exception is caught: the call may still be answered and take effect in it. These methods do not know whether a call
/// takes part in the transaction, so they abort it for every call.
/// </para>
/// <para>
/// <b>Cost.</b> That of .NET's <see cref="Task.WaitAsync(TimeSpan, TimeProvider)"/>, and one task more. No call filter
/// is needed. <b>Accuracy.</b> Like <see cref="TimerService"/>: never early, about one resolution late. After the
/// process has stalled, up to a second more, so that answers that have arrived are read.
/// </para>
/// <para>
/// <b>Threads.</b> May be called from any thread. An awaiting grain resumes on its activation's scheduler. Callbacks
/// registered with a call's token run on the pool. The caller does not wait for them: when it gets the timeout,
/// cancellation has been requested. Their exceptions are logged and counted
/// (<see cref="TimerServiceSnapshot.Failed"/>).
/// </para>
/// </remarks>
public static class CallTimeoutExtensions
{
    /// <summary>Bounds a call that has begun.</summary>
    /// <param name="timers">The service that measures the time.</param>
    /// <param name="call">The call.</param>
    /// <param name="timeout">
    /// How long to wait from now on. A value that truncates to -1 millisecond sets no bound.
    /// </param>
    /// <returns>A task with the call's result, if it comes in time.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="timeout"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="TimeoutException">The call was not answered in time, and has been abandoned.</exception>
    public static Task WithTimeout(this TimerService timers, Task call, TimeSpan timeout) =>
        Bound<bool>(timers, call, timeout);

    /// <inheritdoc cref="WithTimeout(TimerService, Task, TimeSpan)"/>
    /// <typeparam name="T">The type of the answer.</typeparam>
    public static Task<T> WithTimeout<T>(this TimerService timers, Task<T> call, TimeSpan timeout) =>
        (Task<T>)Bound<T>(timers, call, timeout);

    /// <summary>Begins a call with a timeout, and cancels it when the timeout has passed.</summary>
    /// <param name="timers">The service that measures the time.</param>
    /// <param name="call">Begins the call. Pass the token to the call.</param>
    /// <param name="timeout">How long to wait. A value that truncates to -1 millisecond sets no bound.</param>
    /// <param name="cancellationToken">Also cancels the call.</param>
    /// <returns>A task with the call's result, if it comes in time.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="timeout"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    /// <exception cref="TimeoutException">The call was not answered in time, and has been cancelled.</exception>
    public static Task WithTimeout(
        this TimerService timers,
        Func<CancellationToken, Task> call,
        TimeSpan timeout,
        CancellationToken cancellationToken = default) =>
        Bound<bool>(timers, call, timeout, cancellationToken);

    /// <inheritdoc cref="WithTimeout(TimerService, Func{CancellationToken, Task}, TimeSpan, CancellationToken)"/>
    /// <typeparam name="T">The type of the answer.</typeparam>
    public static Task<T> WithTimeout<T>(
        this TimerService timers,
        Func<CancellationToken, Task<T>> call,
        TimeSpan timeout,
        CancellationToken cancellationToken = default) =>
        Bound<T>(timers, call, timeout, cancellationToken);

    private static Task Bound<T>(TimerService timers, Task call, TimeSpan timeout)
    {
        ArgumentNullException.ThrowIfNull(call);
        timeout = DueTime.Normalize(timeout);
        return call.IsCompleted || timeout == Timeout.InfiniteTimeSpan
            ? call
            : Bound<T>(timers, _ => call, timeout, CancellationToken.None);
    }

    private static Task<T> Bound<T>(
        TimerService timers, Func<CancellationToken, Task> call, TimeSpan timeout, CancellationToken callersToken)
    {
        ArgumentNullException.ThrowIfNull(timers);
        ArgumentNullException.ThrowIfNull(call);
        timeout = DueTime.Normalize(timeout);
        var shared = CallTimers.Of(timers);

        // The transaction is read before the call begins, because that throws if the call must not be made.
        return BoundedCall.Run<T>(
            shared,
            call,
            timeout == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : timeout,
            TransactionSupport.Instance.Current(shared),
            callersToken);
    }
}
