namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>The work of a periodic callback.</summary>
internal enum CallbackKind
{
    Empty,

    /// <summary>Sleeps for a millisecond.</summary>
    Blocking,

    /// <summary>Writes a line to the console, which is a pipe that another process empties.</summary>
    Writing,

    /// <summary>Adds up 300,000 numbers.</summary>
    Burning,
}
