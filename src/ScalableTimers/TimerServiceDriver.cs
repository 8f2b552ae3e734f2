namespace ScalableTimers;

/// <summary>What wakes the driver of a <see cref="TimerService"/> that runs on the system clock.</summary>
public enum TimerServiceDriver
{
    /// <summary>A background thread that sleeps until the next deadline.</summary>
    Thread,

    /// <summary>
    /// A single <see cref="System.Threading.Timer"/>: for processes with many services, which would have a thread each.
    /// </summary>
    Timer,
}
