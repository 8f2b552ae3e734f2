namespace ScalableTimers.Exploration.Engine;

/// <summary>How a delay has ended, asked without awaiting it.</summary>
internal static class Outcome
{
    /// <summary>
    /// True when the time has passed, false when it was cancelled or stopped; null while it is pending. To be asked
    /// until it says so, and not again.
    /// </summary>
    internal static bool? Of(ValueTask<bool> delay) => delay.IsCompleted ? delay.GetAwaiter().GetResult() : null;
}
