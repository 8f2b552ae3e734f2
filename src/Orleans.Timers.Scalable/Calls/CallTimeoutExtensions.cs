using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>Response timeouts that are chosen at run time, for one call.</summary>
/// <remarks>
/// <para>
/// A call that is not answered in time ends for its caller with a <see cref="TimeoutException"/>, as by Orleans' own response timeout, which
/// still holds: a longer value changes nothing. What happens to the call itself depends on the form.
/// </para>
/// <list type="bullet">
/// <item>
/// A call that was begun already is abandoned. The callee goes on, and its answer is dropped. Until it comes, or until
/// Orleans' own response timeout with its warning in the log, Orleans keeps the call in its table; <see cref="GetCallTimeouts"/> counts them.
/// </item>
/// <item>
/// A call that is begun with the token that it is given is cancelled: Orleans forgets it at once and cancels the token that
/// the callee sees. (With <c>WaitForCancellationAcknowledgement</c> it forgets when the callee has confirmed.)
/// </item>
/// </list>
/// <para>
/// <b>Transactions.</b> When time passes inside a transaction, that transaction aborts, whether the exception is caught
/// or not: the call may still be answered and take effect in it. Here nothing is known of the call, so that this is so
/// for every call. <see cref="CallTimeout"/> aborts the transaction only for calls that take part in it.
/// </para>
/// <para><b>Cost.</b> Constant time and a few small objects a call; no call filter is needed. One that is answered already costs nothing.</para>
/// <para><b>Accuracy.</b> As <see cref="TimerService"/>: never early, late by about one resolution.</para>
/// <para>
/// <b>Threads.</b> May be called from any thread; an awaiting grain resumes on its activation's scheduler. After the service has been
/// disposed they throw <see cref="ObjectDisposedException"/>; what is pending then ends with its call. What is registered with the token of a call runs on
/// the pool, and nobody waits for it: when the caller hears of the timeout, the cancellation has been asked for. What it throws is logged and counted
/// (<see cref="TimerServiceSnapshot.FailedRegistrations"/>).
/// </para>
/// </remarks>
public static class CallTimeoutExtensions
{
    /// <summary>Bounds a call that has been begun.</summary>
    /// <param name="timers">What measures the time.</param>
    /// <param name="call">The call.</param>
    /// <param name="timeout">How long to wait for it from now on. Whole milliseconds of -1 do not bound it.</param>
    /// <returns>A task that ends as the call does, if that is in time.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="TimeoutException">The call was not answered in time, and has been abandoned.</exception>
    public static Task WithTimeout(this TimerService timers, Task call, TimeSpan timeout)
    {
        ArgumentNullException.ThrowIfNull(timers);
        ArgumentNullException.ThrowIfNull(call);
        timeout = DueTime.Normalize(timeout);
        return timeout == Timeout.InfiniteTimeSpan ? call : BoundedCall.Run(timers, call, timeout, transaction: CallTransaction.Current);
    }

    /// <inheritdoc cref="WithTimeout(TimerService, Task, TimeSpan)"/>
    /// <typeparam name="T">The type of the answer.</typeparam>
    public static Task<T> WithTimeout<T>(this TimerService timers, Task<T> call, TimeSpan timeout)
    {
        ArgumentNullException.ThrowIfNull(timers);
        ArgumentNullException.ThrowIfNull(call);
        timeout = DueTime.Normalize(timeout);
        return timeout == Timeout.InfiniteTimeSpan ? call : BoundedCall.Run(timers, call, timeout, transaction: CallTransaction.Current);
    }

    /// <inheritdoc cref="WithTimeout(TimerService, Task, TimeSpan)"/>
    public static ValueTask WithTimeout(this TimerService timers, ValueTask call, TimeSpan timeout)
    {
        ArgumentNullException.ThrowIfNull(timers);
        timeout = DueTime.Normalize(timeout);
        return call.IsCompleted || timeout == Timeout.InfiniteTimeSpan ? call : new ValueTask(BoundedCall.Run(timers, call.AsTask(), timeout, transaction: CallTransaction.Current));
    }

    /// <inheritdoc cref="WithTimeout(TimerService, Task, TimeSpan)"/>
    /// <typeparam name="T">The type of the answer.</typeparam>
    public static ValueTask<T> WithTimeout<T>(this TimerService timers, ValueTask<T> call, TimeSpan timeout)
    {
        ArgumentNullException.ThrowIfNull(timers);
        timeout = DueTime.Normalize(timeout);
        return call.IsCompleted || timeout == Timeout.InfiniteTimeSpan ? call : new ValueTask<T>(BoundedCall.Run(timers, call.AsTask(), timeout, transaction: CallTransaction.Current));
    }

    /// <summary>Begins a call, bounds it, and cancels it when its time has passed.</summary>
    /// <param name="timers">What measures the time.</param>
    /// <param name="call">Begins the call. Pass it the token that it is given.</param>
    /// <param name="timeout">How long to wait for it. Whole milliseconds of -1 do not bound it.</param>
    /// <param name="cancellationToken">Cancels the call, too.</param>
    /// <returns>A task that ends as the call does, if that is in time.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
    /// <exception cref="TimeoutException">The call was not answered in time, and has been cancelled.</exception>
    public static Task WithTimeout(this TimerService timers, Func<CancellationToken, Task> call, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(timers);
        ArgumentNullException.ThrowIfNull(call);
        timeout = DueTime.Normalize(timeout);
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return Begin(call, cancellation: null, Task.FromCanceled, cancellationToken);
        }

        var cancellation = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var begun = Begin(call, cancellation, Task.FromCanceled, cancellationToken);
        return BoundedCall.Run(timers, begun, timeout, cancellation, transaction: CallTransaction.Current, callersToken: cancellationToken);
    }

    /// <inheritdoc cref="WithTimeout(TimerService, Func{CancellationToken, Task}, TimeSpan, CancellationToken)"/>
    /// <typeparam name="T">The type of the answer.</typeparam>
    public static Task<T> WithTimeout<T>(this TimerService timers, Func<CancellationToken, Task<T>> call, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(timers);
        ArgumentNullException.ThrowIfNull(call);
        timeout = DueTime.Normalize(timeout);
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return Begin(call, cancellation: null, Task.FromCanceled<T>, cancellationToken);
        }

        var cancellation = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var begun = Begin(call, cancellation, Task.FromCanceled<T>, cancellationToken);
        return BoundedCall.Run(timers, begun, timeout, cancellation, transaction: CallTransaction.Current, callersToken: cancellationToken);
    }

    /// <summary>Gets what has become of the calls that timed out, by these methods and by <see cref="CallTimeout"/>.</summary>
    /// <param name="timers">The service that measured their time.</param>
    /// <returns>The figures so far.</returns>
    public static CallTimeoutSnapshot GetCallTimeouts(this TimerService timers)
    {
        ArgumentNullException.ThrowIfNull(timers);
        return CallTimeoutStatistics.Of(timers).GetSnapshot();
    }

    /// <remarks>Where there are no call filters, Orleans throws for a call that is cancelled already.</remarks>
    private static TTask Begin<TTask>(Func<CancellationToken, TTask> call, CancellationTokenSource? cancellation, Func<CancellationToken, TTask> cancelled, CancellationToken callersToken)
        where TTask : Task
    {
        try
        {
            return call(cancellation?.Token ?? callersToken) ?? throw new ArgumentException("The call has begun no task.", nameof(call));
        }
        catch (OperationCanceledException) when (callersToken.IsCancellationRequested)
        {
            return cancelled(callersToken);
        }
        catch
        {
            cancellation?.Dispose();
            throw;
        }
    }
}
