namespace ScalableTimers.Exploration.Mutants;

/// <summary>The fault of a mutated operation.</summary>
internal enum MutantKind
{
    /// <summary>A full fence does nothing.</summary>
    NoFence,

    /// <summary>An interlocked operation reads, lets other threads run, and then writes.</summary>
    NotAtomic,

    /// <summary>A read returns the value of the variable that the thread last saw.</summary>
    StaleRead,

    /// <summary>A write becomes visible after the thread's next operation.</summary>
    LateWrite,

    /// <summary>A write does not become visible to others.</summary>
    LostWrite,

    /// <summary>An event is not set.</summary>
    NoSet,

    /// <summary>A lock excludes no thread.</summary>
    NoLock,

    /// <summary>One call that enters one of the core's own locks does nothing; nor does its exit.</summary>
    NotEntered,

    /// <summary>One such call enters after the thread's next three operations.</summary>
    EnteredLate,
}
