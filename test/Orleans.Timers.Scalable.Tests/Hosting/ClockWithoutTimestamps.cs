namespace Orleans.Timers.Scalable.Tests;

/// <summary>A clock whose timers and timestamps would follow different times.</summary>
internal sealed class ClockWithoutTimestamps : TimeProvider
{
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        throw new NotSupportedException();
}
