namespace Orleans.Timers.Scalable;

/// <summary>What a scope of <see cref="CallTimeout"/> says of the calls in it.</summary>
/// <param name="timeout">Null if the scope lifts what is around it.</param>
/// <param name="outer">What is held around it.</param>
internal sealed class CallTimeoutBound(TimeSpan? timeout, CallTimeoutBound? outer) : CallBound<CallTimeoutBound>(outer)
{
    internal TimeSpan? Timeout { get; } = timeout;
}
