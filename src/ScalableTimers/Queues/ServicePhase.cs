namespace ScalableTimers.Queues;

/// <summary>The phases of a service's life.</summary>
internal enum ServicePhase
{
    Running,

    /// <summary>Delays have been ended and new ones end soon; all other timers work.</summary>
    Stopping,

    /// <summary>Nothing begins any more but what outlives the service. It is driven until nothing is pending.</summary>
    Disposed,
}
