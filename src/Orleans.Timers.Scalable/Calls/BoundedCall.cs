using System.Diagnostics.CodeAnalysis;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>A call that ends when it is answered or when its time has passed, whichever comes first.</summary>
[SuppressMessage("Design", "CA1001:Types that own disposable fields should be disposable", Justification = "What is not disposed has neither a timer nor a handle, and is registered with nothing.")]
internal abstract class BoundedCall
{
    // Guards
    //   _state, _ends   any thread, interlocked only
    //   _timer          written before the answer is awaited, read after it
    //   _leave          written before the timer is set
    private const int Waiting = 0;
    private const int Answered = 1;
    private const int TimedOut = 2;
    private const int Refused = 3;

    private readonly TimerService _timers;
    private readonly Task _call;
    private readonly TimeSpan _timeout;
    private readonly CancellationTokenSource? _cancellation;
    private readonly CancellationToken _callersToken;
    private readonly IGrainCallContext? _context;
    private readonly TransactionInfo? _transaction;
    private CancellationTokenSource? _leave;
    private ScheduledTimer _timer;
    private int _state;
    private int _ends;

    /// <param name="timers">What measures the time.</param>
    /// <param name="call">The call, begun already.</param>
    /// <param name="timeout">How long it may take, not infinite.</param>
    /// <param name="cancellation">Cancels the call; null if nothing does. Disposed when the call has ended.</param>
    /// <param name="context">What an error may say about the call.</param>
    /// <param name="transaction">What must not commit when the call is given up.</param>
    /// <param name="callersToken">The token of which <paramref name="cancellation"/> is a copy, to be named when it was the cause.</param>
    protected BoundedCall(TimerService timers, Task call, TimeSpan timeout, CancellationTokenSource? cancellation, IGrainCallContext? context, TransactionInfo? transaction, CancellationToken callersToken)
    {
        _timers = timers;
        _call = call;
        _timeout = timeout;
        _cancellation = cancellation;
        _callersToken = callersToken;
        _context = context;
        _transaction = transaction;
    }

    /// <summary>Bounds a call without a result.</summary>
    internal static Task Run(TimerService timers, Task call, TimeSpan timeout, CancellationTokenSource? cancellation = null, IGrainCallContext? context = null, TransactionInfo? transaction = null, CancellationToken callersToken = default)
    {
        if (call.IsCompletedSuccessfully)
        {
            cancellation?.Dispose();
            return call;
        }

        var bounded = new BoundedVoidCall(timers, call, timeout, cancellation, context, transaction, callersToken);
        bounded.Start();
        return bounded.Task;
    }

    /// <summary>Bounds a call with a result.</summary>
    internal static Task<T> Run<T>(TimerService timers, Task<T> call, TimeSpan timeout, CancellationTokenSource? cancellation = null, IGrainCallContext? context = null, TransactionInfo? transaction = null, CancellationToken callersToken = default)
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
            // It has failed, in time whatever the timeout.
            OnCallEnded();
            return;
        }

        // One that timed out before, and is bounded again: the first to give it up awaits its end. The others leave nothing with it, however many they are.
        if (_cancellation is null && Statistics.IsAbandoned(_call))
        {
            _leave = new CancellationTokenSource();
        }

        try
        {
            _timer = _timers.Schedule(static call => ((BoundedCall)call!).TimeOut(), this, _timeout);
        }
        catch (ObjectDisposedException)
        {
            // Nobody will await the call, so that its exception must not count as overlooked.
            _state = Refused;
            OnEnd(OnCallEnded);
            FailTransaction("A call was given up because the timer service had been disposed.");
            Cancel();
            throw;
        }

        if (_leave is null)
        {
            OnEnd(OnCallEnded);
        }
        else
        {
            _call.ContinueWith(static (_, call) => ((BoundedCall)call!).OnCallEnded(), this, _leave.Token, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        }
    }

    internal void TimeOut()
    {
        if (Interlocked.CompareExchange(ref _state, TimedOut, Waiting) != Waiting)
        {
            return;
        }

        CountTimeout();

        // First of all the transaction: whoever learns of the timeout from the token must not find one that can still commit.
        var subject = _context is null ? "" : $" for {_context.InterfaceName}.{_context.MethodName} of {_context.TargetId}";
        var message = $"Response did not arrive on time in {_timeout}{subject}.";
        FailTransaction(message);

        // Then the call, so that its caller goes on with one whose cancellation has been asked for.
        Cancel();
        _leave?.Cancel();
        Fail(new TimeoutException(message));
    }

    /// <summary>Ends as the call has ended.</summary>
    protected abstract void EndAsCall();

    protected abstract void Fail(Exception exception);

    protected abstract void EndAsCancelled(CancellationToken cancellationToken);

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
        _cancellation?.Dispose();
        if (_call.IsCanceled && _callersToken.IsCancellationRequested)
        {
            // The call knows the copy; its caller knows his own token.
            EndAsCancelled(_callersToken);
        }
        else
        {
            EndAsCall();
        }
    }

    private void FailTransaction(string reason)
    {
        if (_transaction is not null)
        {
            CallTransaction.Fail(_transaction, reason);
        }
    }

    /// <remarks>
    /// Does not wait for what the caller's own code has registered with the token. That may take long, or wait for the caller, and must not keep the
    /// timeout from him.
    /// </remarks>
    private void Cancel() => _cancellation?.CancelAsync().ContinueWith(
        static (callbacks, call) => ((BoundedCall)call!).OnCancelled(callbacks.Exception),
        this,
        CancellationToken.None,
        TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);

    private void OnCancelled(AggregateException? thrown)
    {
        if (thrown is not null)
        {
            _timers.ReportFailedRegistrations(thrown.Flatten());
        }

        DisposeAtSecondEnd();
    }

    private void DropAnswer(bool isLate)
    {
        // Looked at, an exception does not count as overlooked.
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
            // Since the timeout won. Its end may have been counted too early to be found.
            CountEnd();
        }
    }

    private void CountEnd() => Statistics.OnEndedLate(_call, wasCancelled: _cancellation is not null && _call.IsCanceled);

    /// <summary>The source is in use until it has cancelled and the call has ended, in either order.</summary>
    private void DisposeAtSecondEnd()
    {
        if (Interlocked.Exchange(ref _ends, 1) != 0)
        {
            _cancellation?.Dispose();
        }
    }
}
