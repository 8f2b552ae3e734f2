namespace ScalableTimers.Exploration.Mutants;

/// <summary>What an operation does wrongly.</summary>
internal enum MutantKind
{
    /// <summary>A full fence does nothing.</summary>
    NoFence,

    /// <summary>An interlocked operation reads, lets others come between, and writes.</summary>
    NotAtomic,

    /// <summary>A read gives what the thread saw last of that variable.</summary>
    StaleRead,

    /// <summary>A write becomes visible after the thread's next operation.</summary>
    LateWrite,

    /// <summary>A write does not become visible to others.</summary>
    LostWrite,

    /// <summary>An event is not set.</summary>
    NoSet,

    /// <summary>A lock keeps nobody out.</summary>
    NoLock,

    /// <summary>One call that enters a lock of the core's own enters nothing, and its exit leaves nothing.</summary>
    NotEntered,

    /// <summary>One such call enters after the thread's next operation.</summary>
    EnteredLate,
}
