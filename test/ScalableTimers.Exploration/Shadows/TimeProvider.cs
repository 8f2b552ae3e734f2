using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="global::System.TimeProvider"/>, so that the system's clock is the clock of the interleaving.
/// </summary>
[Shadow]
public abstract class TimeProvider : global::System.TimeProvider
{
    public static new TimeProvider System =>
        Interleaving.Active?.Clock ?? throw new InvalidOperationException(
            "There is no clock outside of an interleaving.");
}
