namespace ScalableTimers.Tests.Timers;

/// <summary>One operation of a model test. Durations are in milliseconds.</summary>
internal abstract record ServiceTimerOperation
{
    internal sealed record Change(int Timer, int DueTime, int Period) : ServiceTimerOperation;

    internal sealed record Dispose(int Timer) : ServiceTimerOperation;

    /// <summary>Time advances, possibly far, before the driver wakes once.</summary>
    internal sealed record Advance(int Duration) : ServiceTimerOperation;

    /// <summary>The callback that has waited the longest begins. The following operations happen inside it.</summary>
    internal sealed record Begin : ServiceTimerOperation;

    /// <summary>The innermost callback returns.</summary>
    internal sealed record Return : ServiceTimerOperation;
}
