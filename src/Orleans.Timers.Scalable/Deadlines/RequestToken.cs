using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Grains;
using ScalableTimers;
using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>
/// Cancels the token that the method of a request takes, when its caller's time is up or its activation deactivates.
/// </summary>
/// <remarks>
/// The method gets a token of this object's own, linked to Orleans', which is cancelled when the caller asks for it. In
/// one silo, caller and callee share the request, and a caller that repeats the call sends what it then holds. So
/// Orleans' token goes back into the request as soon as the method has begun.
/// </remarks>
internal sealed class RequestToken : IResumption
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
    private readonly CancellationToken _orleans;
    private readonly CancellationTokenSource _source;
    private readonly int _argument;
    private readonly ActivationEnd? _activation;
    private readonly CancellationTokenRegistration _deactivation;
    private readonly ScheduledTimer _timer;
    private Timestamp _due;
    private int _state;

    /// <summary>Begins before the method runs.</summary>
    internal RequestToken(
        CallTimers timers, IIncomingGrainCallContext call, TimeSpan? remaining, ActivationEnd? activation)
    {
        (_timers, _call, _activation) = (timers, call, activation);
        for (_argument = call.Request.GetArgumentCount() - 1; _argument > 0; _argument--)
        {
            if (call.Request.GetArgument(_argument) is CancellationToken)
            {
                break;
            }
        }

        _orleans = call.Request.GetCancellationToken();
        _source = CancellationTokenSource.CreateLinkedTokenSource(_orleans);
        call.Request.SetArgument(_argument, _source.Token);
        _timer = remaining is { } time ? Schedule(time) : default;
        if (activation?.Token.IsCancellationRequested == true)
        {
            // This is a turn of the grain. A method that never awaits learns it too.
            Cancel(Deactivating);
        }

        _deactivation = activation?.Token.UnsafeRegister(
            static request => ((RequestToken)request!).CancelInTurn(Deactivating), this) ?? default;
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

    /// <summary>Gives the request its own token back, unless it has been sent again and has another.</summary>
    internal void Restore()
    {
        if (_call.Request.GetCancellationToken() == _source.Token)
        {
            _call.Request.SetArgument(_argument, _orleans);
        }
    }

    /// <summary>Lets go of the request when it has ended.</summary>
    internal void End()
    {
        _timer.Cancel();
        _deactivation.Unregister();
        Interlocked.CompareExchange(ref _state, Ended, Running);
        Restore();
        _source.Dispose();
    }

    // Not a timer that outlives the service: it would keep a silo that is gone, for as long as a request that never
    // ends has time.
    private ScheduledTimer Schedule(TimeSpan dueTime)
    {
        _due = _timers.Service.Clock.DueAt(dueTime);
        try
        {
            return _timers.Service.Schedule(FiringItem.Resume, this, dueTime);
        }
        catch (ObjectDisposedException)
        {
            return default;
        }
    }

    void IResumption.Resume()
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
            CancelInTurn(TimeIsUp);
        }
    }

    // Callbacks of the token are code of the grain, which counts on its turns. Orleans cancels it in one, too.
    private void CancelInTurn(int cause)
    {
        if (Volatile.Read(ref _state) != Running)
        {
            // The activation may be gone.
            return;
        }

        _call.TargetContext.Scheduler.QueueAction(() => Cancel(cause));
    }

    private void Cancel(int cause)
    {
        if ((cause == Deactivating && _activation!.AwaitsCalls)
            || _orleans.IsCancellationRequested
            || Interlocked.CompareExchange(ref _state, cause, Running) != Running)
        {
            return;
        }

        try
        {
            _source.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The request has just ended.
        }
    }
}
