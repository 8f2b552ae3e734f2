namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>What a periodic callback does.</summary>
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
