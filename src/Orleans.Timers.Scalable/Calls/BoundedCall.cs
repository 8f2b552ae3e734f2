using System.Diagnostics.CodeAnalysis;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;
using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>A call that ends when its answer comes or when its timeout passes, whichever is first.</summary>
/// <typeparam name="T">The type of the answer; any type if the call has none.</typeparam>
[SuppressMessage(
    "Design",
    "CA1001:Types that own disposable fields should be disposable",
    Justification = "What is not disposed has neither a timer nor a handle, and is registered with nothing.")]
internal sealed class BoundedCall<T>
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
    private readonly TimerService _timers;
    private readonly Task _call;
    private readonly TimeSpan _timeout;
    private readonly CancellationTokenSource? _cancellation;
    private readonly CancellationToken _callersToken;
    private readonly IGrainCallContext? _context;
    private readonly ICallTransaction? _transaction;
    private CancellationTokenSource? _leave;
    private ScheduledTimer _timer;
    private ITimer? _netTimer;
    private long _due;
    private int _state;
    private int _ends;

    /// <param name="timers">The service that measures the time.</param>
    /// <param name="call">The call, already begun; a <see cref="Task{T}"/> if it has an answer.</param>
    /// <param name="timeout">How long the call may take; not infinite.</param>
    /// <param name="cancellation">Cancels the call; null if nothing does. Disposed when the call has ended.</param>
    /// <param name="context">Names the call in the error message; null if unknown.</param>
    /// <param name="transaction">The transaction that must not commit if the call is given up; null for none.</param>
    /// <param name="callersToken">The caller's own token, which a cancelled result carries if it was the cause.</param>
    internal BoundedCall(
        TimerService timers,
        Task call,
        TimeSpan timeout,
        CancellationTokenSource? cancellation,
        IGrainCallContext? context,
        ICallTransaction? transaction,
        CancellationToken callersToken)
    {
        _timers = timers;
        _call = call;
        _timeout = timeout;
        _cancellation = cancellation;
        _callersToken = callersToken;
        _context = context;
        _transaction = transaction;
    }

    internal Task<T> Task => _end.Task;

    /// <summary>Bounds a call. Returns a <see cref="Task{T}"/> if the call is one.</summary>
    internal static Task Run(
        TimerService timers,
        Task call,
        TimeSpan timeout,
        CancellationTokenSource? cancellation = null,
        IGrainCallContext? context = null,
        ICallTransaction? transaction = null,
        CancellationToken callersToken = default)
    {
        if (call.IsCompletedSuccessfully)
        {
            cancellation?.Dispose();
            return call;
        }

        var bounded = new BoundedCall<T>(timers, call, timeout, cancellation, context, transaction, callersToken);
        bounded.Start();
        return bounded.Task;
    }

    internal void Start()
    {
        if (_call.IsCompleted)
        {
            // The call has already failed, which is in time for any timeout.
            OnCallEnded();
            return;
        }

        // This call has timed out before and is bounded again. The first bound that gave it up awaits its end. Later
        // ones must leave no continuation behind, because there may be many.
        if (_cancellation is null && Statistics.IsAbandoned(_call))
        {
            _leave = new CancellationTokenSource();
        }

        _due = _timers.Clock.DueAt(_timeout);
        try
        {
            if (TurnedOff.Contains(_timers))
            {
                // Timeouts above the 49 days of the longest timer never fire: no call takes that long.
                _netTimer = _timers.Clock.Provider.CreateTimer(
                    static call => ((BoundedCall<T>)call!).GiveUp(),
                    this,
                    _timeout > DueTime.MaxTimer ? Timeout.InfiniteTimeSpan : _timeout,
                    Timeout.InfiniteTimeSpan);
            }
            else
            {
                _timer = _timers.Schedule(static call => ((BoundedCall<T>)call!).TimeOut(), this, _timeout);
            }
        }
        catch (ObjectDisposedException)
        {
            // Nobody will await the call, so observe its exception here.
            _state = Refused;
            OnEnd(OnCallEnded);
            _transaction?.Fail("The call was given up because the timer service has been disposed.");
            Cancel();
            throw;
        }

        if (_leave is null)
        {
            OnEnd(OnCallEnded);
        }
        else
        {
            _call.ContinueWith(
                static (_, call) => ((BoundedCall<T>)call!).OnCallEnded(),
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
        var clock = _timers.Clock;
        var wait = Stalls.Of(_timers).GraceOfTimeout(clock.ToTimeSpan(clock.Now() - _due));
        if (wait > TimeSpan.Zero)
        {
            _ = _timers.ScheduleToOutlive(static call => ((BoundedCall<T>)call!).GiveUp(), this, wait);
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
        var subject = _context is null
            ? ""
            : $" for {_context.InterfaceName}.{_context.MethodName} of {_context.TargetId}";
        var message = $"Response did not arrive on time in {_timeout}{subject}.";
        _transaction?.Fail(message);

        // The call is cancelled next, so that its cancellation has been requested before the caller continues.
        Cancel();
        _leave?.Cancel();
        _end.SetException(new TimeoutException(message));
    }

    private CallTimeoutStatistics Statistics => CallTimeoutStatistics.Of(_timers);

    private void OnEnd(Action continuation) => _call.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(continuation);

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
        _cancellation?.Dispose();
        if (_call.IsCanceled && _callersToken.IsCancellationRequested)
        {
            // The call uses the linked token, but its caller knows only its own.
            _end.SetCanceled(_callersToken);
        }
        else
        {
            _end.SetFromTask(_call as Task<T> ?? WithoutAnswer(_call));
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
    private void Cancel() => _cancellation?.CancelAsync().ContinueWith(
        static (callbacks, call) => ((BoundedCall<T>)call!).OnCancelled(callbacks.Exception),
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
            _timers.Dispatcher.Fire(new FiringItem(
                static thrown => throw (AggregateException)thrown!, thrown.Flatten()));
        }
    }

    private void DropAnswer(bool isLate)
    {
        // Reading the exception observes it.
        _ = _call.Exception;
        if (isLate)
        {
            CountEnd();
        }

        DisposeAtSecondEnd();
    }

    private void CountTimeout()
    {
        Statistics.OnTimedOut(_call);
        if (_call.IsCompleted)
        {
            // The call has ended since the timeout won. If its end was reported before the timeout was counted, it was
            // missed, so report it again.
            CountEnd();
        }
    }

    private void CountEnd() =>
        Statistics.OnEndedLate(_call, wasCancelled: _cancellation is not null && _call.IsCanceled);

    /// <summary>
    /// The source is in use until its cancellation has completed and the call has ended, in either order.
    /// </summary>
    private void DisposeAtSecondEnd()
    {
        if (Interlocked.Exchange(ref _ends, 1) != 0)
        {
            _cancellation?.Dispose();
        }
    }
}
