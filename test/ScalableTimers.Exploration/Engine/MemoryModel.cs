namespace ScalableTimers.Exploration.Engine;

/// <summary>When a thread's stores become visible to others.</summary>
internal enum MemoryModel
{
    /// <summary>At once.</summary>
    SequentiallyConsistent,

    /// <summary>In order, but perhaps after later loads of the same thread, as on x86 (total store order).</summary>
    StoreBuffers,
}
