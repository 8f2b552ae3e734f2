using System.Diagnostics.CodeAnalysis;
using ScalableTimers;
using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>A call that ends when its answer comes or when its timeout passes, whichever is first.</summary>
/// <typeparam name="T">The type of the answer; any type if the call has none.</typeparam>
/// <param name="timers">The service that measures the time.</param>
/// <param name="call">The call, already begun; a <see cref="Task{T}"/> if it has an answer.</param>
/// <param name="timeout">How long the call may take; not infinite.</param>
/// <param name="cancellation">Cancels the call; null if nothing does. Disposed when the call has ended.</param>
/// <param name="transaction">The transaction that must not commit if the call is given up; null for none.</param>
/// <param name="callersToken">The caller's own token, which a cancelled result carries if it was the cause.</param>
[SuppressMessage(
    "Design",
    "CA1001:Types that own disposable fields should be disposable",
    Justification = "What is not disposed has neither a timer nor a handle, and is registered with nothing.")]
internal sealed class TimedCall<T>(
    TimerService timers, Task call, TimeSpan timeout, CancellationTokenSource? cancellation,
    ICallTransaction? transaction, CancellationToken callersToken) : IFiringTarget
{
    // Guards
    //   _state, _ends       any thread, interlocked only
    //   _timer, _netTimer   written before the answer is awaited, read after it
    //   _due, _leave        written before the timer is set
    private const int Waiting = 0;
    private const int Answered = 1;
    private const int TimedOut = 2;
    private const int Refused = 3;

    private readonly TaskCompletionSource<T> _end = new();
    private readonly CallTimers _shared = CallTimers.Of(timers);
    private CancellationTokenSource? _leave;
    private ScheduledTimer _timer;
    private ITimer? _netTimer;
    private long _due;
    private int _state;
    private int _ends;

    internal Task<T> Task => _end.Task;

    /// <summary>Bounds a call. Returns a <see cref="Task{T}"/> if the call is one.</summary>
    internal static Task Run(
        TimerService timers, Task call, TimeSpan timeout, CancellationTokenSource? cancellation = null,
        ICallTransaction? transaction = null, CancellationToken callersToken = default)
    {
        if (call.IsCompletedSuccessfully)
        {
            cancellation?.Dispose();
            return call;
        }

        var bounded = new TimedCall<T>(timers, call, timeout, cancellation, transaction, callersToken);
        bounded.Start();
        return bounded.Task;
    }

    internal void Start()
    {
        if (call.IsCompleted)
        {
            // The call has already failed, which is in time for any timeout.
            OnCallEnded();
            return;
        }

        // This call has timed out before and is bounded again. The first bound that gave it up awaits its end. Later
        // ones must leave no continuation behind, because there may be many.
        if (cancellation is null && Statistics.IsAbandoned(call))
        {
            _leave = new CancellationTokenSource();
        }

        _due = timers.Clock.DueAt(timeout);
        try
        {
            if (_shared.IsOff)
            {
                // Timeouts above the 49 days of the longest timer never fire: no call takes that long.
                _netTimer = timers.Clock.Provider.CreateTimer(
                    static bounded => ((TimedCall<T>)bounded!).GiveUp(),
                    this,
                    timeout > DueTime.MaxTimer ? Timeout.InfiniteTimeSpan : timeout,
                    Timeout.InfiniteTimeSpan);
            }
            else
            {
                _timer = timers.Schedule(static bounded => ((TimedCall<T>)bounded!).TimeOut(), this, timeout);
            }
        }
        catch (ObjectDisposedException)
        {
            // Nobody will await the call, so observe its exception here.
            _state = Refused;
            OnEnd(OnCallEnded);
            transaction?.Fail("The call was given up because the timer service has been disposed.");
            Cancel();
            throw;
        }

        if (_leave is null)
        {
            OnEnd(OnCallEnded);
        }
        else
        {
            call.ContinueWith(
                static (_, bounded) => ((TimedCall<T>)bounded!).OnCallEnded(),
                this,
                _leave.Token,
                TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
        }
    }

    internal void TimeOut()
    {
        // Let an answer that arrived during a stall be read first. The second timer is not cancelled when the call
        // ends, because it then does nothing.
        var clock = timers.Clock;
        var wait = _shared.Stalls.GraceLeft(clock.ToTimeSpan(clock.Now() - _due));
        if (wait > TimeSpan.Zero)
        {
            _ = timers.ScheduleToOutlive(static bounded => ((TimedCall<T>)bounded!).GiveUp(), this, wait);
        }
        else
        {
            GiveUp();
        }
    }

    private void GiveUp()
    {
        if (Interlocked.CompareExchange(ref _state, TimedOut, Waiting) != Waiting)
        {
            return;
        }

        CountTimeout();

        // The transaction fails first: code that learns of the timeout from the token must not find a transaction that
        // can still commit.
        var message = $"Response did not arrive on time in {timeout}.";
        transaction?.Fail(message);

        // The call is cancelled next, so that its cancellation has been requested before the caller continues.
        Cancel();
        _leave?.Cancel();
        _end.SetException(new TimeoutException(message));
    }

    private CallTimeoutStatistics Statistics => _shared.Statistics;

    private void OnEnd(Action continuation) => call.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(continuation);

    private void OnCallEnded()
    {
        var state = Interlocked.CompareExchange(ref _state, Answered, Waiting);
        if (state != Waiting)
        {
            DropAnswer(isLate: state == TimedOut);
            return;
        }

        _timer.Cancel();
        _netTimer?.Dispose();
        cancellation?.Dispose();
        if (call.IsCanceled && callersToken.IsCancellationRequested)
        {
            // The call uses the linked token, but its caller knows only its own.
            _end.SetCanceled(callersToken);
        }
        else
        {
            _end.SetFromTask(call as Task<T> ?? WithoutAnswer(call));
        }
    }

    /// <summary>Converts a task that has ended.</summary>
    private static async Task<T> WithoutAnswer(Task ended)
    {
        await ended.ConfigureAwait(false);
        return default!;
    }

    /// <remarks>
    /// Does not wait for callbacks that the caller's code registered with the token. They may take long, or wait for
    /// the caller, and must not delay its timeout.
    /// </remarks>
    private void Cancel() => cancellation?.CancelAsync().ContinueWith(
        static (callbacks, bounded) => ((TimedCall<T>)bounded!).OnCancelled(callbacks.Exception),
        this,
        CancellationToken.None,
        TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);

    private void OnCancelled(AggregateException? thrown)
    {
        DisposeAtSecondEnd();
        if (thrown is not null)
        {
            // Count and log it like an exception from any callback of the service.
            timers.Dispatcher.Fire(new FiringItem(
                static thrown => throw (AggregateException)thrown!, thrown.Flatten()));
        }
    }

    private void DropAnswer(bool isLate)
    {
        // Reading the exception observes it.
        _ = call.Exception;
        if (isLate)
        {
            CountEnd();
        }

        DisposeAtSecondEnd();
    }

    private void CountTimeout()
    {
        Statistics.OnTimedOut(call);
        if (call.IsCompleted)
        {
            // The call has ended since the timeout won. If its end was reported before the timeout was counted, it was
            // missed, so report it again.
            CountEnd();
        }
    }

    private void CountEnd() =>
        Statistics.OnEndedLate(call, wasCancelled: cancellation is not null && call.IsCanceled);

    /// <summary>
    /// The source is in use until its cancellation has completed and the call has ended, in either order.
    /// </summary>
    private void DisposeAtSecondEnd()
    {
        if (Interlocked.Exchange(ref _ends, 1) != 0)
        {
            cancellation?.Dispose();
        }
    }
}
