namespace ScalableTimers.Queues;

/// <summary>The phases of a service's life.</summary>
internal enum ServicePhase
{
    Running,

    /// <summary>Delays have been ended and new ones end at once; all other timers work.</summary>
    Stopping,

    /// <summary>The service no longer drives any timer.</summary>
    Disposed,
}
