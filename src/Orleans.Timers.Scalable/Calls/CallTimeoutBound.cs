namespace Orleans.Timers.Scalable;

/// <summary>What a scope says of the calls in it.</summary>
/// <remarks>
/// A loop that some library starts inside of a scope, to serve many requests, keeps the execution context for good. So a
/// bound counts until its scope has been disposed, wherever it has been captured.
/// </remarks>
internal sealed class CallTimeoutBound(TimeSpan? timeout, CallTimeoutBound? outer)
{
    private volatile bool _isOver;

    /// <summary>Null if the scope lifts what is around it.</summary>
    internal TimeSpan? Timeout { get; } = timeout;

    internal CallTimeoutBound? Outer { get; } = outer;

    internal bool IsOver => _isOver;

    internal void End() => _isOver = true;
}
