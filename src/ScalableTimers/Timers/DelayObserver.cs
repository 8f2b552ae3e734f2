namespace ScalableTimers.Timers;

/// <summary>
/// Observes the delays of one caller. Called on any thread, under no lock, with one end for each beginning.
/// </summary>
internal abstract class DelayObserver
{
    /// <summary>A delay is about to wait.</summary>
    internal abstract void OnBegun();

    /// <summary>The delay has ended; its awaiter has not resumed yet.</summary>
    internal abstract void OnEnded();

    /// <summary>
    /// Says why a delay was cancelled by its second token or by the service's stop; null for the usual message.
    /// </summary>
    internal virtual string? ReasonOf(DelayOutcome outcome) => null;
}
