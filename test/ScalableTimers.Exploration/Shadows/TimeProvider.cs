namespace ScalableTimers;

/// <summary>
/// Hides <see cref="global::System.TimeProvider"/>, so that the system's clock is the clock of the interleaving.
/// </summary>
public abstract class TimeProvider : global::System.TimeProvider
{
    public static new TimeProvider System => LogicalThread.Current.Run.Clock;
}
