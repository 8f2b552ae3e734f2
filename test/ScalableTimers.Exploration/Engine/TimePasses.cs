namespace ScalableTimers.Exploration.Engine;

/// <summary>When the clock advances by itself, to the next moment that a thread or a timer waits for.</summary>
internal enum TimePasses
{
    /// <summary>When no thread can run.</summary>
    WhenNothingElseCan,

    /// <summary>At any point too. That counts as a preemption.</summary>
    AtAnyPoint,
}
