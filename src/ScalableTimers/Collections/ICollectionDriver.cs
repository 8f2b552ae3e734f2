namespace ScalableTimers.Collections;

/// <summary>What collections ask of the driver that expires them.</summary>
internal interface ICollectionDriver
{
    /// <summary>
    /// Makes the driver wake at a tick or before it. Called after a collection has published that tick and executed a
    /// full fence.
    /// </summary>
    void WakeNoLaterThan(long tick);

    /// <summary>
    /// Takes out a part of what is due if the driver gets no processor time. Called by a scheduling thread every few
    /// timers.
    /// </summary>
    void RelieveIfStarved(TimerCollection collection, long now);
}
