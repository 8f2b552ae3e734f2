namespace ScalableTimers.Queues;

/// <summary>What happens to an entry when its service enters a later phase.</summary>
internal enum ServiceEnd
{
    /// <summary>It goes on: timers of .NET types depend on it. Or it has ended already.</summary>
    None,

    /// <summary>It is a delay. It has ended as cancelled and must be completed.</summary>
    Cancelled,

    /// <summary>Its callback has been dropped and will not run.</summary>
    Dropped,
}
