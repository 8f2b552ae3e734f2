namespace ScalableTimers.Timers;

/// <summary>
/// Hears of the delays that are begun for somebody: on any thread, under no lock, one end for each beginning.
/// </summary>
internal abstract class DelayObserver
{
    /// <summary>A delay is about to wait.</summary>
    internal abstract void OnBegun();

    /// <summary>The delay has ended; who awaits it has yet to resume.</summary>
    internal abstract void OnEnded();
}
