using System.Diagnostics;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>A place for registrations with tokens of timeouts, shared or rented.</summary>
internal sealed class TokenSlot(SoakRun run, SoakKind kind) : SoakSlot(run, kind)
{
    private static readonly Action<object?> s_fire = static slot => ((TokenSlot)slot!).Fire();

    private CancellationTokenRegistration _registration;
    private TimeoutLease _lease;
    private CancelSource? _caller;
    private volatile bool _throws;

    /// <summary>Registers with a shared token. The caller holds the place until <see cref="End"/>.</summary>
    internal void Share(SoakSubject subject, TimeSpan timeout, bool throws)
    {
        (_caller, _lease, _throws) = (null, default, false);
        Begin(subject, timeout, isHeld: true);
        _registration = Service.GetTimeoutToken(timeout).UnsafeRegister(s_fire, this);

        // This must not be set earlier: the callback of a token that is cancelled already would throw here, and the
        // service would not count it.
        _throws = throws;
    }

    /// <summary>Registers with a rented token. The caller holds the place until <see cref="End"/>.</summary>
    internal void Rent(SoakSubject subject, TimeSpan timeout, CancelSource? caller)
    {
        (_caller, _throws) = (caller, false);
        Begin(subject, timeout, isHeld: true);
        _lease = Service.RentTimeout(timeout, caller?.Token ?? default);
        _registration = _lease.Token.UnsafeRegister(s_fire, this);
    }

    internal void End()
    {
        var hasTimedOut = _lease.HasTimedOut;
        var now = Stopwatch.GetTimestamp();
        if (hasTimedOut && now < DueAt)
        {
            Report(SoakFault.Early, "said too early that it had timed out");
        }

        // Does not wait. If it is too late, the callback runs or has run.
        if (_registration.Unregister())
        {
            EndByCancelling();
            Release();
        }

        _lease.Dispose();
        (_lease, _registration) = (default, default);
        Release();
    }

    private void Fire()
    {
        if (_caller is not null && _caller.BegunAt <= Stopwatch.GetTimestamp())
        {
            EndByCancelling();
        }
        else if (!EndByFiring())
        {
            return;
        }

        if (_throws)
        {
            Subject.CountFailedRegistration();
            Release();
            throw new InvalidOperationException("Thrown on purpose.");
        }

        Release();
    }
}
