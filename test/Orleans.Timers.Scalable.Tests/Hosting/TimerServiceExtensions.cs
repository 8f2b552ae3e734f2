using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

internal static class TimerServiceExtensions
{
    /// <summary>The width of a tick, which a service does not publish.</summary>
    internal static TimeSpan Resolution(this TimerService timers) =>
        timers.Clock.ToTimeSpan(timers.Clock.TimestampAt(1));
}
