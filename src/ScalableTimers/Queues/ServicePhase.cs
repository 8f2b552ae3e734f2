namespace ScalableTimers.Queues;

/// <summary>How far a service has come in its life.</summary>
internal enum ServicePhase
{
    Running,

    /// <summary>Delays have been ended and new ones end at once; all other timers work.</summary>
    Stopping,

    /// <summary>The service drives no timer any more.</summary>
    Disposed,
}
