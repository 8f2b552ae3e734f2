namespace ScalableTimers.Exploration.Engine;

/// <summary>When the clock goes on by itself, to the next moment that anybody waits for.</summary>
internal enum TimePasses
{
    /// <summary>When no thread can run.</summary>
    WhenNothingElseCan,

    /// <summary>At any point too, which is a choice that costs as much as a preemption.</summary>
    AtAnyPoint,
}
