namespace ScalableTimers.Exploration.Engine;

/// <summary>Reads the outcome of a delay without awaiting it.</summary>
internal static class Outcome
{
    /// <summary>
    /// Returns true when the time has passed, false when the delay was cancelled or stopped, and null while it is
    /// pending. It must not be called again after it has returned a result.
    /// </summary>
    internal static bool? Of(ValueTask<bool> delay) => delay.IsCompleted ? delay.GetAwaiter().GetResult() : null;
}
