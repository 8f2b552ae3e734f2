namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>The kind of timer or thread that calls back once a period.</summary>
internal enum PeriodicKind
{
    Timer,
    PeriodicTimer,
    TimersTimer,

    /// <summary>A thread that sleeps a period, calls, and sleeps again.</summary>
    SleepingThread,

    CreateTimer,
    CreateTimerAllow,

    /// <summary>Fired by the driver's own thread.</summary>
    CreateTimerOnDriverThread,

    /// <summary>A timer of the operating system, on Linux.</summary>
    OsTimer,
}
