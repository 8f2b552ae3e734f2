namespace ScalableTimers.Collections;

/// <summary>What only some delays have: a second token that ends them, and somebody who hears of their end.</summary>
/// <remarks>Apart, so that the others do not carry the fields. A delay that has had one keeps it for its next lives.</remarks>
internal sealed class DelayScope
{
    /// <summary>The registration with the second token.</summary>
    internal CancellationTokenRegistration Registration;

    /// <summary>Set by the thread that prepares the delay, cleared by the one that completes it.</summary>
    internal DelayObserver? Observer;
}
