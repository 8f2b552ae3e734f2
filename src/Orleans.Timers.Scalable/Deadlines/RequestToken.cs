using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Grains;
using ScalableTimers;
using ScalableTimers.Firing;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>
/// Cancels the token that the method of a request takes, when its caller's time is up or its activation deactivates.
/// </summary>
/// <remarks>
/// Orleans gives each such request a source of its own, which it cancels when the caller asks for it. This asks for the
/// same, so the request keeps its arguments and Orleans' own cancellation.
/// </remarks>
internal sealed class RequestToken : IFiringTarget
{
    // Guards
    //   _state       any thread, interlocked
    //   _due         written before the timer is set
    //   all others   written before the method runs
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
    private long _due;
    private int _state;

    /// <summary>Begins before the method runs.</summary>
    internal RequestToken(
        CallTimers timers, IIncomingGrainCallContext call, TimeSpan? remaining, ActivationEnd? activation)
    {
        (_timers, _call, _activation) = (timers, call, activation);
        _token = call.Request.GetCancellationToken();
        _timer = remaining is { } time ? Schedule(time) : default;
        _deactivation = activation?.Token.UnsafeRegister(
            static request => ((RequestToken)request!).Cancel(Deactivating), this) ?? default;
    }

    /// <summary>Returns what the caller gets instead of the cancellation; null if it asked for that itself.</summary>
    internal Exception? ToCaller(OperationCanceledException cancellation) => Volatile.Read(ref _state) switch
    {
        TimeIsUp => new TimeoutException(
            $"The request {_call.InterfaceName}.{_call.MethodName} to {_call.TargetId} was cancelled: the time of its "
                + "caller is up.",
            cancellation),
        Deactivating => _activation!.Unavailable(_call.TargetContext, cancellation),
        _ => null,
    };

    /// <summary>Lets go of the request when it has ended.</summary>
    internal void End()
    {
        _timer.Cancel();
        _deactivation.Unregister();
        Interlocked.CompareExchange(ref _state, Ended, Running);
    }

    private ScheduledTimer Schedule(TimeSpan dueTime)
    {
        _due = _timers.Service.Clock.DueAt(dueTime);
        return _timers.Service.ScheduleToOutlive(static request => ((RequestToken)request!).TimeOut(), this, dueTime);
    }

    private void TimeOut()
    {
        // If the process stood still, the callers in it wait longer too. The second timer is not cancelled when the
        // request ends, because it then does nothing.
        var clock = _timers.Service.Clock;
        var wait = _timers.Stalls.GraceLeft(clock.ToTimeSpan(clock.Now() - _due));
        if (wait > TimeSpan.Zero)
        {
            Schedule(wait);
        }
        else
        {
            Cancel(TimeIsUp);
        }
    }

    private void Cancel(int cause)
    {
        // DeactivateOnIdle promises to wait for calls. In one silo, a caller that repeats a call sends the same request
        // object, which then has another token.
        if ((cause == Deactivating && _activation!.IsByApplication)
            || _token.IsCancellationRequested
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
