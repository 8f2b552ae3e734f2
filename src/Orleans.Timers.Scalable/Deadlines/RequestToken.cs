using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Grains;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>
/// Cancels the token that the method of a request takes, when its caller's time is up or its activation deactivates.
/// </summary>
/// <remarks>
/// Orleans gives each such request a source of its own, which it cancels when the caller asks for it. This asks for the
/// same, so the request keeps its arguments and Orleans' own cancellation.
/// </remarks>
internal sealed class RequestToken
{
    // Guards
    //   _state                 any thread, interlocked only
    //   _timer, _deactivation  written before the method runs, read after it
    private const int Running = 0;
    private const int Ended = 1;
    private const int TimeIsUp = 2;
    private const int Deactivating = 3;

    private readonly CallTimers _timers;
    private readonly IIncomingGrainCallContext _call;
    private readonly CancellationToken _token;
    private readonly ActivationEnd? _activation;
    private readonly CancellationTokenRegistration _deactivation;
    private readonly ScheduledTimer _timer;
    private readonly long _due;
    private int _state;

    /// <param name="timers">Measure the caller's time.</param>
    /// <param name="call">The request.</param>
    /// <param name="remaining">The caller's time; null if unknown or of no interest.</param>
    /// <param name="activation">The end of the activation; null if of no interest.</param>
    internal RequestToken(
        CallTimers timers, IIncomingGrainCallContext call, TimeSpan? remaining, ActivationEnd? activation)
    {
        _timers = timers;
        _call = call;
        _token = call.Request.GetCancellationToken();
        _activation = activation;
        if (remaining is { } time)
        {
            _due = timers.Service.Clock.DueAt(time);
            _timer = timers.Service.ScheduleToOutlive(
                static request => ((RequestToken)request!).TimeOut(), this, time);
        }

        _deactivation = activation?.Token.UnsafeRegister(
            static request => ((RequestToken)request!).Deactivate(), this) ?? default;
    }

    /// <summary>Returns what the caller gets instead of the cancellation; null if it asked for that itself.</summary>
    internal Exception? ToCaller(OperationCanceledException cancellation) => Volatile.Read(ref _state) switch
    {
        TimeIsUp => new TimeoutException(
            $"The request {_call.InterfaceName}.{_call.MethodName} to {_call.TargetId} was cancelled: the time of its "
                + "caller is up.",
            cancellation),
        Deactivating => EndedCallCopier.Unavailable(_call.TargetContext, cancellation),
        _ => null,
    };

    /// <summary>Lets go of the request when it has ended.</summary>
    internal void End()
    {
        _timer.Cancel();
        _deactivation.Unregister();
        Interlocked.CompareExchange(ref _state, Ended, Running);
    }

    private void TimeOut()
    {
        // If the process stood still, the callers in it wait longer too. The second timer is not cancelled when the
        // request ends, because it then does nothing.
        var clock = _timers.Service.Clock;
        var wait = _timers.Stalls.GraceOfTimeout(clock.ToTimeSpan(clock.Now() - _due));
        if (wait > TimeSpan.Zero)
        {
            _ = _timers.Service.ScheduleToOutlive(
                static request => ((RequestToken)request!).Cancel(TimeIsUp), this, wait);
        }
        else
        {
            Cancel(TimeIsUp);
        }
    }

    private void Deactivate()
    {
        // DeactivateOnIdle promises to wait for the calls that run.
        if (_activation is { IsByApplication: false })
        {
            Cancel(Deactivating);
        }
    }

    private void Cancel(int cause)
    {
        // In one silo, a caller that repeats a call repeats it with the same request, which then has another token.
        if (_token.IsCancellationRequested
            || _call.Request.GetCancellationToken() != _token
            || Interlocked.CompareExchange(ref _state, cause, Running) != Running)
        {
            return;
        }

        try
        {
            _call.Request.TryCancel();
        }
        catch (ObjectDisposedException)
        {
            // The request has just ended. What a callback of the token throws comes as an AggregateException.
        }
    }
}
