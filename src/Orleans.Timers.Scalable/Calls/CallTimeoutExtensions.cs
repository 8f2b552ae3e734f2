using Orleans.Timers.Scalable.Calls;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>Response timeouts chosen at run time, for a single call.</summary>
/// <remarks>
/// <para>
/// If a call is not answered in time, its caller gets a <see cref="TimeoutException"/>, as from Orleans' own response
/// timeout. The latter still applies, so a longer value changes nothing. What happens to the call itself depends on the
/// overload.
/// </para>
/// <list type="bullet">
/// <item>
/// A call that has already begun is abandoned. The callee continues, and its answer is dropped. Orleans keeps the call
/// in its table until the answer comes, or until its own response timeout, which logs a warning. The meter
/// <c>Orleans.Timers.Scalable</c> counts such calls.
/// </item>
/// <item>
/// A call that takes the overload's token is cancelled. Orleans forgets it at once and signals the token that the
/// callee sees. (With <c>WaitForCancellationAcknowledgement</c>, Orleans forgets it when the callee has confirmed.)
/// </item>
/// </list>
/// <para>
/// <b>Transactions.</b> When a call times out inside a transaction, the transaction aborts, whether or not the
/// exception is caught: the call may still be answered and take effect in it. These methods do not know whether a call
/// takes part in the transaction, so they abort it for every call.
/// </para>
/// <para>
/// <b>Cost.</b> Constant time and a few small objects for each call. No call filter is needed. A call that has already
/// been answered costs nothing.
/// </para>
/// <para>
/// <b>Accuracy.</b> Like <see cref="TimerService"/>: never early, about one resolution late. After the process has
/// stalled, up to a second more, so that answers that have arrived are read.
/// </para>
/// <para>
/// <b>Threads.</b> May be called from any thread. An awaiting grain resumes on its activation's scheduler. After the
/// service has been disposed, these methods throw <see cref="ObjectDisposedException"/>, and a pending task ends when
/// its call does. Callbacks registered with a call's token run on the pool. The caller does not wait for them: when it
/// gets the timeout, cancellation has been requested. Their exceptions are logged and counted
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
        (Task<T>)Bound<T>(timers, call, timeout, cancellationToken);

    private static Task Bound<T>(TimerService timers, Task call, TimeSpan timeout)
    {
        ArgumentNullException.ThrowIfNull(timers);
        ArgumentNullException.ThrowIfNull(call);
        timeout = DueTime.Normalize(timeout);
        return timeout == Timeout.InfiniteTimeSpan
            ? call
            : TimedCall<T>.Run(
                timers, call, timeout, transaction: TransactionSupport.Instance.Current(CallTimers.Of(timers)));
    }

    private static Task Bound<T>(
        TimerService timers,
        Func<CancellationToken, Task> call,
        TimeSpan timeout,
        CancellationToken callersToken)
    {
        ArgumentNullException.ThrowIfNull(timers);
        ArgumentNullException.ThrowIfNull(call);
        timeout = DueTime.Normalize(timeout);
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return Begin<T>(call, cancellation: null, callersToken);
        }

        // Read before the call begins, because it throws if the call must not be made.
        var transaction = TransactionSupport.Instance.Current(CallTimers.Of(timers));
        var cancellation = CancellationTokenSource.CreateLinkedTokenSource(callersToken);
        return TimedCall<T>.Run(
            timers,
            Begin<T>(call, cancellation, callersToken),
            timeout,
            cancellation,
            transaction: transaction,
            callersToken: callersToken);
    }

    /// <remarks>Without call filters, Orleans throws for a call whose token is already cancelled.</remarks>
    private static Task Begin<T>(
        Func<CancellationToken, Task> call, CancellationTokenSource? cancellation, CancellationToken callersToken)
    {
        try
        {
            return call(cancellation?.Token ?? callersToken)
                ?? throw new ArgumentException(
                    "The function returned null. It must return the task of the call that it begins.", nameof(call));
        }
        catch (OperationCanceledException) when (callersToken.IsCancellationRequested)
        {
            return Task.FromCanceled<T>(callersToken);
        }
        catch
        {
            cancellation?.Dispose();
            throw;
        }
    }
}
