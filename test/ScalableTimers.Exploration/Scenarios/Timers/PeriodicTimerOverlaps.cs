namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>The same with callbacks that may overlap.</summary>
internal sealed class PeriodicTimerOverlaps : PeriodicTimerSkips
{
    protected override TimerOverlap Overlap => TimerOverlap.Allow;
}
