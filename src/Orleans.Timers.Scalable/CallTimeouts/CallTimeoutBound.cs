using Orleans.Timers.Scalable.Calls;

namespace Orleans.Timers.Scalable.CallTimeouts;

/// <summary>The timeout that a scope of <see cref="CallTimeout"/> sets for its calls.</summary>
/// <param name="timeout">Null if the scope lifts the outer timeout.</param>
/// <param name="outer">The outer bound, or null.</param>
internal sealed class CallTimeoutBound(TimeSpan? timeout, CallTimeoutBound? outer) : CallBound<CallTimeoutBound>(outer)
{
    internal TimeSpan? Timeout { get; } = timeout;
}
