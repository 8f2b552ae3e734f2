namespace Orleans.Timers.Scalable.Calls;

/// <summary>The timeout that a scope of <see cref="CallTimeout"/> sets for its calls.</summary>
/// <param name="timeout">Null if the scope lifts the outer timeout.</param>
/// <param name="outer">The outer bound, or null.</param>
internal sealed class FlowingTimeout(TimeSpan? timeout, FlowingTimeout? outer) : FlowingLimit<FlowingTimeout>(outer)
{
    internal TimeSpan? Timeout { get; } = timeout;
}
