namespace ScalableTimers.Timers;

/// <summary>What only some delays have: a second token that ends them, and somebody who hears of their end.</summary>
/// <remarks>
/// Apart, so that the others do not carry the fields. A delay that has had one keeps it for its next lives.
/// </remarks>
internal sealed class DelayScope
{
    private DelayObserver? _observer;

    /// <summary>The registration with the second token.</summary>
    internal CancellationTokenRegistration Registration;

    /// <summary>Called by the thread that prepares the delay.</summary>
    internal void Observe(DelayObserver? observer) => _observer = observer;

    /// <summary>
    /// Tells the observer once. Called by the thread that completes the delay, and by the one that fails to start it,
    /// perhaps at the same time.
    /// </summary>
    internal void EndObservation() => Interlocked.Exchange(ref _observer, null)?.OnEnded();
}
