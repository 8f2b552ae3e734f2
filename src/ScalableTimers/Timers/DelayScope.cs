namespace ScalableTimers.Timers;

/// <summary>
/// The parts that only some delays have: a second token that ends the delay, and an observer that is notified of its
/// end.
/// </summary>
/// <remarks>
/// A separate object, so that other delays do not carry the fields. A delay that has had a scope keeps it for its next
/// lives.
/// </remarks>
internal sealed class DelayScope
{
    private DelayObserver? _observer;

    /// <summary>The registration with the second token.</summary>
    internal CancellationTokenRegistration Registration;

    /// <summary>Called by the thread that prepares the delay.</summary>
    internal void Observe(DelayObserver? observer) => _observer = observer;

    /// <summary>Called by the thread that completes the delay, before <see cref="EndObservation"/>.</summary>
    internal string? ReasonOf(DelayOutcome outcome) => _observer?.ReasonOf(outcome);

    /// <summary>Called by the thread that completes the delay.</summary>
    internal void EndObservation()
    {
        var observer = _observer;
        _observer = null;
        observer?.OnEnded();
    }
}
