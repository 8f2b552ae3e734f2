namespace Orleans.Timers.Scalable;

/// <summary>What a scope says of the calls in it.</summary>
/// <remarks>
/// A loop that some library starts inside of a scope, to serve many requests, keeps the execution context for good. So a
/// bound counts until its scope has been disposed, wherever it has been captured.
/// </remarks>
internal sealed class CallTimeoutBound
{
    private CallTimeoutBound? _outer;
    private volatile bool _isOver;

    /// <param name="timeout">Null if the scope lifts what is around it.</param>
    /// <param name="outer">What is held around it.</param>
    internal CallTimeoutBound(TimeSpan? timeout, CallTimeoutBound? outer)
    {
        Timeout = timeout;
        _outer = Live(outer);

        // Where each round of a loop begins inside of the scope of the round before, that one ends only afterwards. So what is around it goes now.
        _ = _outer?.Outer;
    }

    internal TimeSpan? Timeout { get; }

    /// <summary>Gets the next scope around it that has not been disposed. Others are let go.</summary>
    internal CallTimeoutBound? Outer => _outer is { _isOver: true } over ? _outer = Live(over) : _outer;

    /// <summary>The bound, or the first around it whose scope has not been disposed.</summary>
    internal static CallTimeoutBound? Live(CallTimeoutBound? bound)
    {
        while (bound is { _isOver: true })
        {
            bound = bound._outer;
        }

        return bound;
    }

    internal void End() => _isOver = true;
}
