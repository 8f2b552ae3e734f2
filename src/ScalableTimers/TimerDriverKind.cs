namespace ScalableTimers;

/// <summary>What wakes the driver of a <see cref="TimerService"/>.</summary>
public enum TimerDriverKind
{
    /// <summary>A thread for the system clock, the clock's timer for any other clock.</summary>
    Auto,

    /// <summary>
    /// One timer of the clock. With the system clock this is a single <see cref="System.Threading.Timer"/>.
    /// </summary>
    Timer,

    /// <summary>A background thread that sleeps until the next deadline. Requires the system clock.</summary>
    Thread,
}
