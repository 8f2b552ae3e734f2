namespace ScalableTimers.Queues;

/// <summary>What happens to an entry when its service enters a later phase.</summary>
internal enum ServiceEnd
{
    /// <summary>The entry goes on, or has ended already.</summary>
    None,

    /// <summary>The entry is a delay. It has ended as cancelled and must be completed.</summary>
    Cancelled,

    /// <summary>The entry's callback has been dropped and will not run.</summary>
    Dropped,

    /// <summary>The entry outlives its service: see <see cref="OutlivingTimer"/>.</summary>
    Outlives,
}
