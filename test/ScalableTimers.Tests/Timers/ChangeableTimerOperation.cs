namespace ScalableTimers.Tests.Timers;

/// <summary>One operation of a model test. Durations are in milliseconds.</summary>
internal abstract record ChangeableTimerOperation
{
    internal sealed record Change(int Timer, int DueTime, int Period) : ChangeableTimerOperation;

    internal sealed record Dispose(int Timer) : ChangeableTimerOperation;

    /// <summary>Time advances, possibly far, before the driver wakes once.</summary>
    internal sealed record Advance(int Duration) : ChangeableTimerOperation;

    /// <summary>The callback that has waited the longest begins. The following operations happen inside it.</summary>
    internal sealed record Begin : ChangeableTimerOperation;

    /// <summary>The innermost callback returns.</summary>
    internal sealed record Return : ChangeableTimerOperation;
}
