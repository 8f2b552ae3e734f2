using ScalableTimers;
using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>A call that is given up when its answer has not come before its timeout passes.</summary>
internal static class BoundedCall
{
    /// <typeparam name="T">The type of the answer; any type if the call has none.</typeparam>
    /// <param name="timers">What the calls of the silo or client share.</param>
    /// <param name="call">Begins the call, and returns its answer.</param>
    /// <param name="timeout">How long the call may take.</param>
    /// <param name="transaction">The transaction that must not commit if the call is given up; null for none.</param>
    /// <param name="callersToken">Also cancels the call.</param>
    internal static async Task<T> Run<T>(
        CallTimers timers,
        Func<CancellationToken, Task> call,
        TimeSpan timeout,
        ICallTransaction? transaction,
        CancellationToken callersToken)
    {
        var cancellation = CancellationTokenSource.CreateLinkedTokenSource(callersToken);
        var isGivenUp = false;
        var clock = timers.Service.Clock;
        var provider = timers.IsOff ? clock.Provider : timers.Service.TimeProvider;
        var time = timeout > DueTime.MaxTimer ? Timeout.InfiniteTimeSpan : DueTime.RoundUpToMilliseconds(timeout);
        try
        {
            var answer = call(cancellation.Token) ?? throw new ArgumentException(
                "The function returned null. It must return the task of the call that it begins.", nameof(call));
            var due = clock.DueAt(timeout);
            await answer.WaitAsync(time, provider, CancellationToken.None)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

            // Let an answer that arrived during a stall be read first.
            if (!answer.IsCompleted && timers.Stalls.GraceLeft(clock.ToTimeSpan(clock.Now() - due)) is var grace
                && grace > TimeSpan.Zero)
            {
                await answer.WaitAsync(grace, provider, CancellationToken.None)
                    .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }

            if (!answer.IsCompleted)
            {
                isGivenUp = true;
                answer.Ignore();
                var reason = $"Response did not arrive on time in {timeout}.";
                timers.CountTimeout();

                // The transaction fails first: code that learns of the timeout from the token must not find a
                // transaction that can still commit. The caller learns of it last, when cancellation has been
                // requested, but does not wait for callbacks of the token: they may take long, or wait for it.
                transaction?.Fail(reason);
                _ = Cancel(timers.Service, cancellation);
                throw new TimeoutException(reason);
            }

            await answer.ConfigureAwait(false);
            return answer is Task<T> withResult ? withResult.Result : default!;
        }
        catch (OperationCanceledException canceled) when (callersToken.IsCancellationRequested)
        {
            // The call uses the linked token, but its caller knows only its own.
            throw new TaskCanceledException(canceled.Message, canceled, callersToken);
        }
        finally
        {
            if (!isGivenUp)
            {
                cancellation.Dispose();
            }
        }
    }

    private static async Task Cancel(TimerService timers, CancellationTokenSource cancellation)
    {
        try
        {
            await cancellation.CancelAsync().ConfigureAwait(false);
        }
        catch (AggregateException thrown)
        {
            // Count and log it like an exception from any callback of the service.
            timers.Dispatcher.Fire(new FiringItem(
                static thrown => throw (AggregateException)thrown!, thrown.Flatten()));
        }
        finally
        {
            cancellation.Dispose();
        }
    }
}
