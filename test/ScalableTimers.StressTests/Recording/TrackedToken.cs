using System.Diagnostics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>
/// A registration with the token of a timeout, shared or rented, which a caller may cancel too. One thread at a time
/// holds it.
/// </summary>
internal sealed class TrackedToken(Ledger ledger, CancelSource? caller = null) : Tracked
{
    private static readonly Action<object?> s_fire = static token => ((TrackedToken)token!).Fire();

    private CancellationTokenRegistration _registration;
    private TimeoutLease _lease;
    private bool _isRented;
    private bool _hasEnded;
    private string? _surprise;

    internal override string Kind => _isRented ? "rented timeout" : "shared timeout";

    /// <summary>Registers with a shared token.</summary>
    internal void Share(TimerService service, TimeSpan timeout)
    {
        AskFor(StressTime.In(timeout));
        _registration = service.GetTimeoutToken(timeout).UnsafeRegister(s_fire, this);
    }

    /// <summary>Registers with a rented token, which <see cref="End"/> returns.</summary>
    internal void Rent(TimerService service, TimeSpan timeout)
    {
        _isRented = true;
        AskFor(StressTime.In(timeout));
        _lease = service.RentTimeout(timeout, caller?.Token ?? default);
        _registration = _lease.Token.UnsafeRegister(s_fire, this);
    }

    /// <summary>
    /// Ends it before its timeout, or finds that it is too late for that. Does not wait. The second call ends nothing.
    /// </summary>
    internal void End()
    {
        if (_lease.HasTimedOut && !StressTime.IsOver(NotBefore))
        {
            _surprise = "said too early that it had timed out";
        }
        else if (_isRented && !_hasEnded && _lease.Token.IsCancellationRequested
            && !_lease.HasTimedOut && caller?.BegunAt is null or long.MaxValue)
        {
            _surprise = "was cancelled neither by the timeout nor by the caller";
        }

        _hasEnded = true;
        if (_registration.Unregister())
        {
            _ = RecordCancelled();
            ledger.CountEnd();
        }

        _lease.Dispose();
    }

    internal override string? Fault(bool mayBeOpen) => _surprise ?? base.Fault(mayBeOpen);

    private void Fire()
    {
        var now = Stopwatch.GetTimestamp();
        _ = caller is not null && caller.BegunAt <= now ? RecordCancelled() : RecordFired(now);
        ledger.CountEnd();
    }
}
