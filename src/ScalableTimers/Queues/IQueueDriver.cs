namespace ScalableTimers.Queues;

/// <summary>What a queue needs from the driver that expires it.</summary>
internal interface IQueueDriver
{
    /// <summary>
    /// Starts the driver unless it has been started. Called by one thread at a time, before a thread gets a queue.
    /// </summary>
    void Start();

    /// <summary>
    /// Makes the driver wake at or before a tick. Called after a queue has published that tick and executed a full
    /// fence.
    /// </summary>
    void WakeNoLaterThan(long tick);

    /// <summary>
    /// Makes the driver look at all queues: the service has been disposed, and nothing may be pending any more.
    /// </summary>
    void RunOut();
}
