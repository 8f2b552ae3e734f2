using System.Diagnostics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>A registration with a shared token. One thread at a time holds it.</summary>
internal sealed class TrackedToken(Ledger ledger) : Tracked
{
    private static readonly Action<object?> s_fire = static token => ((TrackedToken)token!).Fire();

    private CancellationTokenRegistration _registration;

    internal override string Kind => "shared timeout";

    internal void Register(TimerService service, TimeSpan timeout)
    {
        AskFor(StressTime.In(timeout));
        _registration = service.GetTimeoutToken(timeout).UnsafeRegister(s_fire, this);
    }

    /// <summary>Ends it before its timeout, unless it is too late. Does not wait.</summary>
    internal void End()
    {
        if (_registration.Unregister())
        {
            _ = RecordCancelled();
            ledger.CountEnd();
        }
    }

    private void Fire()
    {
        _ = RecordFired(Stopwatch.GetTimestamp());
        ledger.CountEnd();
    }
}
