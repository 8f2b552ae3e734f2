using Orleans.Timers.Scalable.Calls;

namespace Orleans.Timers.Scalable.CallTimeouts;

/// <summary>The timeout that a scope of <see cref="CallTimeout"/> sets for the calls in it.</summary>
/// <param name="timeout">Null if the scope removes the timeout around it.</param>
/// <param name="outer">The bound around this one; null if there is none.</param>
internal sealed class CallTimeoutBound(TimeSpan? timeout, CallTimeoutBound? outer) : CallBound<CallTimeoutBound>(outer)
{
    internal TimeSpan? Timeout { get; } = timeout;
}
