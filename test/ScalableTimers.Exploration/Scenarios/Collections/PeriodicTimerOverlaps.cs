namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>The same with callbacks that may overlap.</summary>
internal sealed class PeriodicTimerOverlaps : PeriodicTimerSkips
{
    protected override TimerOverlap Overlap => TimerOverlap.Allow;
}
